import {fail} from '../errors.ts'
import {nearest} from '../text/nearest.ts'
import {firstIssue, readSetting} from './read-setting.ts'
import {type JsonObject, SettingsFile} from './settings-file.ts'
import {
  patternOf,
  patterns,
  type SettingKey,
  type SettingPattern,
  type SettingValue,
  settingsSchema,
} from './settings-schema.ts'

export interface SettingEntry {
  key: string
  value: unknown
  source: 'default' | 'set'
  /** What it is for. */
  about: string
}

export interface OwnAgent {
  command: readonly string[]
}

/**
 * The settings, of which settings.json is the one place. It is looked at on each call, so that an edit by hand counts
 * at once; unknown keys in it are kept. Throws `settings.invalid` for a file that can't be understood, and never goes on
 * with defaults instead.
 */
export class Settings {
  readonly #file: SettingsFile

  constructor(path: string) {
    this.#file = new SettingsFile(path)
  }

  get<Key extends SettingKey>(key: Key): SettingValue<Key> {
    return this.entry(key).value as SettingValue<Key>
  }

  /** Any key, as typed; throws `settings.unknown-key`. */
  entry(key: string): SettingEntry {
    const pattern = knownPattern(key)
    const stored = this.#stored(key, pattern)
    const about = settingsSchema[pattern].description ?? ''
    if (stored !== undefined) return {key, value: stored, source: 'set', about}
    return {key, value: settingsSchema[pattern].parse(undefined), source: 'default', about}
  }

  /** Every setting with its value, and each agent of the user's own. */
  list(): SettingEntry[] {
    const agents = agentsOf(this.#file.read()).map(id => `agents.${id}.command`)
    const plain = patterns.filter(pattern => !pattern.includes('<id>'))
    return [...plain, ...agents].map(key => this.entry(key)).filter(({value}) => value !== undefined)
  }

  /** The agents that the user described, by their ids. */
  agents(): Readonly<Record<string, OwnAgent>> {
    const ids = agentsOf(this.#file.read())
    return Object.fromEntries(ids.map(id => [id, {command: this.get(`agents.${id}.command`) ?? []}]))
  }

  /** `value` as a person types it or as JSON gives it. Throws `settings.unknown-key`, `settings.bad-value`. */
  set(key: string, value: unknown): SettingEntry {
    const pattern = knownPattern(key)
    const parsed = readSetting(key, pattern, value)
    // Merged into the file as it is now, in one step: two that set different keys both keep theirs.
    const content = structuredClone(this.#file.read())
    put(content, key.split('.'), parsed)
    this.#file.write(content)
    return this.entry(key)
  }

  /** Back to the default; true when it was set. */
  unset(key: string): boolean {
    knownPattern(key)
    const content = structuredClone(this.#file.read())
    const wasSet = remove(content, key.split('.'))
    if (wasSet) this.#file.write(content)
    return wasSet
  }

  #stored(key: string, pattern: SettingPattern): unknown {
    const path = key.split('.')
    const content = this.#file.read()
    for (let length = 1; length < path.length; length++) {
      const outer = at(content, path.slice(0, length))
      if (outer !== undefined && !isObject(outer))
        this.#file.refuse(path.slice(0, length), 'expected an object')
    }
    const raw = at(content, path)
    if (raw === undefined) return undefined
    const result = settingsSchema[pattern].safeParse(raw)
    if (!result.success) this.#file.refuse(path, firstIssue(result.error))
    return result.data
  }
}

function knownPattern(key: string): SettingPattern {
  const pattern = patternOf(key)
  if (pattern) return pattern
  const guess = nearest(key, patterns)
  return fail('settings.unknown-key', {key, hint: guess ? ` (did you mean "${guess}"?)` : ''})
}

function agentsOf(content: JsonObject): string[] {
  const agents = content.agents
  return isObject(agents)
    ? Object.keys(agents).filter(id => patternOf(`agents.${id}.command`) !== undefined)
    : []
}

function at(content: JsonObject, path: readonly string[]): unknown {
  let value: unknown = content
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

function put(content: JsonObject, path: readonly string[], value: unknown): void {
  let object = content
  for (const name of path.slice(0, -1)) {
    if (!isObject(object[name])) object[name] = {}
    object = object[name] as JsonObject
  }
  object[path.at(-1) as string] = value
}

/** An object that this leaves empty goes too. */
function remove(content: JsonObject, [name = '', ...rest]: readonly string[]): boolean {
  const inner = content[name]
  if (rest.length === 0) return inner !== undefined && delete content[name]
  if (!isObject(inner) || !remove(inner, rest)) return false
  if (Object.keys(inner).length === 0) delete content[name]
  return true
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
