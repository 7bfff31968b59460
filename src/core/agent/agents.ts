import {existsSync, readdirSync} from 'node:fs'
import {basename, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {fail} from '../errors.ts'
import type {Settings} from '../settings/settings.ts'
import {programVersion} from './program-version.ts'
import type {AgentKind} from './types.ts'

export interface AgentInfo {
  id: string
  summary: string
  installed: string | null
  version: string | null
  usable: boolean
  signal: string
  confidence: 'exact' | 'heuristic' | 'none'
  default: boolean
}

/** Makes the kind of a custom agent of the settings. */
type CustomKind = (agent: {id: string; command: readonly string[]}) => AgentKind

/** Programs that people will name and that need more than this version knows of them. */
const comingKinds = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'cursor-agent', 'aider', 'goose']

/** The agent kinds: one file each in `plugins/agents/`, and the user's own commands in the settings. */
export class Agents {
  readonly #kinds: ReadonlyMap<string, AgentKind>
  readonly #custom: CustomKind
  readonly #settings: Settings

  private constructor(kinds: readonly AgentKind[], custom: CustomKind, settings: Settings) {
    this.#kinds = new Map(kinds.map(kind => [kind.id, kind]))
    this.#custom = custom
    this.#settings = settings
  }

  /** Imports every kind below `root` (the sources or the bundle). */
  static async load(root: string, settings: Settings): Promise<Agents> {
    const dir = join(root, 'plugins/agents')
    const files = existsSync(dir)
      ? readdirSync(dir).filter(file => /\.(ts|js)$/.test(file) && !file.endsWith('.d.ts'))
      : []
    const modules = await Promise.all(
      files.sort().map(async file => ({file, exports: await import(pathToFileURL(join(dir, file)).href)})),
    )
    const kinds = modules.flatMap(({exports}) => (exports as {kinds?: AgentKind[]}).kinds ?? [])
    const custom = modules.find(({file}) => basename(file).startsWith('custom.'))?.exports as {
      customKind: CustomKind
    }
    return new Agents(kinds, custom.customKind, settings)
  }

  /**
   * The kind of an agent id, of the settings' own agents, or of a command line of one's own (it has a space or a slash).
   * With `env`, as that kind can be had there (a machine without bash has no exact shell). Throws `agent.not-found`,
   * `agent.unsupported`.
   */
  kind(id: string, env?: Record<string, string>): AgentKind {
    const known = this.#kinds.get(id) ?? this.#own(id)
    if (known) return (env && known.inEnvironment?.(env)) ?? known
    if (/[\s/]/.test(id)) return this.#custom({id, command: ['/bin/sh', '-c', id]})
    if (comingKinds.includes(id)) fail('agent.unsupported', {agent: id})
    return fail('agent.not-found', {agent: id, available: this.#ids().join(', ')})
  }

  get defaultId(): string {
    return this.#settings.get('agent')
  }

  async list(env: Readonly<Record<string, string>> = {}): Promise<AgentInfo[]> {
    return Promise.all(
      this.#ids().map(async id => {
        const {summary, signal, find} = this.kind(id)
        const installed = await find(env)
        // A command of the user's own is not run unasked, not even for this.
        const version = installed && this.#kinds.has(id) ? await programVersion(installed, env) : null
        const confidence =
          signal === 'none' ? 'none' : signal === 'title' || signal === 'quiet' ? 'heuristic' : 'exact'
        return {
          id,
          summary,
          installed,
          version,
          usable: installed !== null,
          signal,
          confidence,
          default: id === this.defaultId,
        }
      }),
    )
  }

  #own(id: string): AgentKind | undefined {
    const agents = this.#settings.agents()
    const agent = Object.hasOwn(agents, id) ? agents[id] : undefined
    return agent && this.#custom({id, command: agent.command})
  }

  #ids(): string[] {
    return [...this.#kinds.keys(), ...Object.keys(this.#settings.agents())]
  }
}
