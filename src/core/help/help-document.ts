import {roleOf} from '../flags.ts'
import {inputSchema, type JsonSchema, resultSchema} from '../registry/json-schema.ts'
import type {LoadedVerb} from '../registry/loaded-verb.ts'
import {cliWords, type Registry} from '../registry/registry.ts'
import type {Annotations} from '../verb/verb.ts'
import {allExits, commonExits, exitMeaning, localExits} from './exit-meanings.ts'
import {globalFlags} from './global-flags.ts'

interface FlagHelp {
  flag: string
  short: string | null
  value: string | null
  help: string
}

interface CommandHelp {
  name: string
  aliases: string[]
  about: string
  args: Array<{name: string; required: boolean; help: string}>
  flags: FlagHelp[]
  exit_codes: Record<string, string>
  /** MCP tool name, or null and why. */
  mcp: string | null
  mcpExcluded?: string
  scope?: 'full' | 'scoped'
  annotations?: Annotations
  input?: JsonSchema
  result?: JsonSchema
}

export interface HelpDocument {
  app: 'termic'
  version: string
  protocol: number
  global_flags: readonly FlagHelp[]
  exit_codes: Record<string, string>
  commands: CommandHelp[]
}

interface DeclaredFlag {
  char?: string
  summary?: string
  helpValue?: string
  type?: string
  hidden?: boolean
}

/** `termic help --json`: everything that a script or a model needs to know of every command, or of those of `ids`. */
export async function helpDocument(
  registry: Registry,
  version: string,
  ids: readonly string[] = [...registry.entries.keys()],
): Promise<HelpDocument> {
  const commands = await Promise.all(
    ids.map(async id => {
      const verb = await registry.verb(id)
      const {aliases = []} = registry.entries.get(id) ?? {}
      return verb ? verbEntry(verb) : localEntry(id, aliases, await registry.command(id))
    }),
  )
  commands.sort((a, b) => a.name.localeCompare(b.name))
  return {
    app: 'termic',
    version,
    protocol: 1,
    global_flags: globalFlags,
    exit_codes: codes(allExits),
    commands,
  }
}

function verbEntry(verb: LoadedVerb): CommandHelp {
  const {command, mcp, parameters} = verb
  const args = parameters.filter(({isArg}) => isArg)
  return {
    name: cliWords(verb.id),
    aliases: [...(command.aliases ?? [])],
    about: command.summary ?? '',
    args: args.map(({name, required, summary}) => ({name, required, help: summary})),
    flags: flagsOf(command.flags),
    exit_codes: codes([...new Set([...commonExits, ...command.exits])]),
    ...(typeof mcp === 'string' ? {mcp} : {mcp: null, mcpExcluded: mcp.excluded}),
    scope: command.scope,
    annotations: command.annotations,
    input: inputSchema(verb),
    result: resultSchema(verb),
  }
}

function localEntry(id: string, aliases: string[], loaded: unknown): CommandHelp {
  const command = loaded as {
    summary?: string
    flags?: object
    args?: Record<string, {required?: boolean; description?: string}>
  }
  return {
    name: cliWords(id),
    aliases,
    about: command.summary ?? '',
    args: Object.entries(command.args ?? {}).map(([name, arg]) => ({
      name,
      required: arg.required === true,
      help: arg.description ?? '',
    })),
    flags: flagsOf(command.flags),
    exit_codes: codes(localExits),
    mcp: null,
    mcpExcluded: 'it runs in the client, on this machine and for its person',
  }
}

function flagsOf(flags: object | undefined): FlagHelp[] {
  return Object.entries((flags ?? {}) as Record<string, DeclaredFlag>)
    .filter(([, flag]) => !flag.hidden)
    .map(([name, flag]) => ({
      flag: `--${name}`,
      short: flag.char ? `-${flag.char}` : null,
      value: flag.type === 'boolean' ? null : (flag.helpValue ?? 'VALUE'),
      help: (flag.summary ?? '') + (roleOf(flag).role === 'cliOnly' ? ' (CLI only)' : ''),
    }))
}

function codes(list: readonly number[]): Record<string, string> {
  return Object.fromEntries([...list].sort((a, b) => a - b).map(code => [String(code), exitMeaning(code)]))
}
