import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {isVerb} from '../verb/verb.ts'
import type {Entry} from './entry.ts'
import {type LoadedVerb, loadedVerb} from './loaded-verb.ts'
import {scanCommands} from './scan-commands.ts'

/** Topics that the CLI lets one leave out: `termic new` is `termic task new`. */
const impliedTopic = 'task'

/**
 * All commands by id, from their files' places. Verbs are imported on their first call; an id or alias that two files
 * claim is refused with both names.
 */
export class Registry {
  readonly root: string
  readonly entries: ReadonlyMap<string, Entry>
  readonly #byWords = new Map<string, Entry>()
  readonly #loaded = new Map<string, Promise<LoadedVerb>>()

  constructor(root: string, entries: readonly Entry[]) {
    this.root = root
    this.entries = new Map(entries.map(entry => [entry.id, entry]))
    for (const entry of entries) {
      const words = entry.id.split('.').join(' ')
      const topic = words.includes(' ') ? words.slice(0, words.lastIndexOf(' ') + 1) : ''
      const spellings = [words, ...entry.aliases.map(alias => (alias.includes(' ') ? alias : topic + alias))]
      for (const spelling of spellings) {
        this.#claim(spelling, entry)
        if (spelling.startsWith(`${impliedTopic} `))
          this.#claim(spelling.slice(impliedTopic.length + 1), entry)
      }
    }
  }

  /** From the build's manifest where there is one, else by importing every command once. */
  static async open(root: string): Promise<Registry> {
    const manifest = join(root, 'manifest.json')
    if (existsSync(manifest)) return new Registry(root, JSON.parse(readFileSync(manifest, 'utf8')) as Entry[])
    return new Registry(root, await describeCommands(root))
  }

  /** The command that `words` begin with (the longest match wins) and how many words it took. */
  match(words: readonly string[]): {entry: Entry; taken: number} | undefined {
    for (let taken = Math.min(3, words.length); taken > 0; taken--) {
      const entry = this.#byWords.get(words.slice(0, taken).join(' '))
      if (entry) return {entry, taken}
    }
    return undefined
  }

  /** First words of all commands, as the CLI shows them. */
  topics(): string[] {
    return [...new Set([...this.entries.keys()].map(id => cliWords(id).split(' ')[0] ?? id))].sort()
  }

  /** Last words of the commands of a topic: `add`, `list`, `remove` of `project`. */
  below(topic: string): string[] {
    const ids = [...this.entries.keys()].filter(id => id.startsWith(`${topic}.`))
    return ids.map(id => id.slice(topic.length + 1).replaceAll('.', ' ')).sort()
  }

  async verb(id: string): Promise<LoadedVerb | undefined> {
    const entry = this.entries.get(id)
    if (!entry || entry.local) return undefined
    const loading =
      this.#loaded.get(id) ??
      importCommand(join(this.root, entry.file)).then(command => loadedVerb(entry, command))
    this.#loaded.set(id, loading)
    return loading
  }

  async verbs(): Promise<LoadedVerb[]> {
    const all = await Promise.all([...this.entries.keys()].map(id => this.verb(id)))
    return all.filter(verb => verb !== undefined)
  }

  /** Any command's class, for help and for what runs in the client. */
  async command(id: string): Promise<unknown> {
    const entry = this.entries.get(id)
    return entry && (await importCommand(join(this.root, entry.file)))
  }

  #claim(spelling: string, entry: Entry): void {
    const other = this.#byWords.get(spelling)
    if (other) {
      const claims = `${other.plugin} (${other.file}) and ${entry.plugin} (${entry.file})`
      throw new Error(`two commands claim "termic ${spelling}": ${claims}`)
    }
    this.#byWords.set(spelling, entry)
  }
}

/** Imports every command below `root` and describes it; what the build writes to `manifest.json`. */
export async function describeCommands(root: string): Promise<Entry[]> {
  return Promise.all(
    scanCommands(root).map(async ({id, plugin, file}) => {
      const command = (await importCommand(file)) as {summary?: string; aliases?: string[]}
      return {
        id,
        plugin,
        file: file.slice(root.length + 1),
        summary: command.summary ?? '',
        aliases: command.aliases ?? [],
        local: !isVerb(command),
      }
    }),
  )
}

/** CLI spelling of an id: `task.new` → `new`, `project.add` → `project add`. */
export function cliWords(id: string): string {
  return id.replace(new RegExp(`^${impliedTopic}\\.`), '').replaceAll('.', ' ')
}

async function importCommand(file: string): Promise<unknown> {
  const module = (await import(pathToFileURL(file).href)) as {default?: unknown}
  if (typeof module.default !== 'function') throw new Error(`${file} exports no command as its default`)
  return module.default
}
