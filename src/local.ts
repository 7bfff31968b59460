import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Config} from '@oclif/core/config'
import {show} from './client/local-command.ts'
import {report} from './client/report.ts'
import {askedOf, type Globals, lookAtArgv, takeGlobals} from './core/argv/take-globals.ts'
import {withoutWords} from './core/argv/without-words.ts'
import {helpFor} from './core/help/help-for.ts'
import type {LoadedVerb} from './core/registry/loaded-verb.ts'
import {describeCommands, Registry} from './core/registry/registry.ts'
import {parseArgv, spellingsOf} from './presentations/cli/parse-argv.ts'
import {programDir as root} from './program-dir.ts'
import {version} from './version.ts'

/** For the documents that are generated from the built program (scripts/generate-docs.js). */
export {errorTable} from './core/errors.ts'
export {exitMeaning} from './core/help/exit-meanings.ts'
export {helpDocument} from './core/help/help-document.ts'
export {verbUsage} from './core/help/verb-help.ts'
export {describeCommands} from './core/registry/registry.ts'
export {rpcCodeOf} from './presentations/socket/rpc-code.ts'

/**
 * Runs in the client's process what no daemon is needed for: help, and plain oclif commands. Returns the exit code, or
 * `daemon` when argv is a verb's call after all (`-p --help` asks for no help).
 */
export async function runLocal(argv: string[]): Promise<number | 'daemon'> {
  const registry = await Registry.open(root)
  try {
    const {rest, help} = lookAtArgv(argv)
    const match = registry.match(rest)
    if (!match && rest.length > 0 && !help) return 'daemon'
    const words = match ? rest.slice(0, match.taken) : rest
    const verb = match && (await registry.verb(match.entry.id))
    if (verb && !(await asksForHelp(verb, withoutWords(argv, words)))) return 'daemon'
    if (match && !verb && !help) return await runCommand(registry, match.entry.id, withoutWords(argv, words))
    await showHelp(registry, argv, words)
    return 0
  } catch (thrown) {
    return report(thrown, argv)
  }
}

/** A wrong argv asks for nothing: that is the daemon's to tell. */
async function asksForHelp(verb: LoadedVerb, argv: readonly string[]): Promise<boolean> {
  return parseArgv(verb, argv).then(
    ({help}) => help,
    () => false,
  )
}

async function showHelp(
  registry: Registry,
  argv: readonly string[],
  words: readonly string[],
): Promise<void> {
  const {format} = takeGlobals(argv)
  const help = helpFor(registry, version, words)
  show(format, format === 'text' ? await help.text() : await help.document())
}

interface LocalClass {
  id: string
  run(argv: string[], config: Config): Promise<unknown>
}

async function runCommand(registry: Registry, id: string, argv: string[]): Promise<number> {
  const command = (await registry.command(id)) as LocalClass
  // oclif takes TERMIC_DATA_DIR for its own, and would look for plugins of the user's in there.
  const config = new Config({root, userPlugins: false, devPlugins: false})
  await config.load()
  command.id = id
  if (argv.includes('--no-launch')) process.env.TERMIC_NO_LAUNCH = '1'
  await command.run(
    argv.filter(word => word !== '--no-launch'),
    config,
  )
  return Number(process.exitCode ?? 0)
}

/** What argv asks for beside its verb, of which only the verb's own flags tell what is a prompt. */
export async function globalsOf(argv: readonly string[]): Promise<Pick<Globals, 'format' | 'noLaunch'>> {
  const registry = await Registry.open(root)
  const match = registry.match(lookAtArgv(argv).rest)
  const verb = match && (await registry.verb(match.entry.id))
  return askedOf(argv, verb ? spellingsOf(verb) : [])
}

/** Written by the build, so that neither client nor daemon imports a command to know that it exists. */
export async function writeManifest(): Promise<void> {
  const entries = await describeCommands(root)
  new Registry(root, entries)
  writeFileSync(join(root, 'manifest.json'), `${JSON.stringify(entries, null, 1)}\n`)
}

export async function registryOfThisProgram(): Promise<Registry> {
  return Registry.open(root)
}
