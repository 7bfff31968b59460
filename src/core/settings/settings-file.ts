import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {fail} from '../errors.ts'
import {asStoreError} from '../store/store-error.ts'
import {jsonLines} from './json-lines.ts'

export type JsonObject = Record<string, unknown>

/** settings.json as it stands on the disk: read again only when its size, time or identity changed. */
export class SettingsFile {
  readonly #path: string
  #seen: {mark: string; text: string; content: JsonObject} | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** The whole content; callers don't change it. Costs one stat while nothing changed. Throws `settings.invalid`. */
  read(): JsonObject {
    return this.#current().content
  }

  /** Replaces the file in one step: whoever reads it, or dies in the middle, has the former content or this one. */
  write(content: JsonObject): void {
    // A file that is a link (kept with other dotfiles) stays one.
    const target = existsSync(this.#path) ? realpathSync(this.#path) : this.#path
    const fresh = `${target}.new`
    try {
      rmSync(fresh, {force: true})
      const file = openSync(fresh, 'wx', 0o600)
      try {
        writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(fresh, target)
      syncDirectory(dirname(target))
    } catch (error) {
      removeQuietly(fresh)
      throw asStoreError(error, this.#path)
    }
    this.#seen = undefined
  }

  /** Throws `settings.invalid` for the value at `path`, naming its line. */
  refuse(path: readonly string[], reason: string): never {
    const line = jsonLines(this.#current().text).lines.get(JSON.stringify(path))
    return fail('settings.invalid', {
      path: this.#path,
      reason: `${path.join('.')}${line === undefined ? '' : ` in line ${line}`}: ${reason}`,
    })
  }

  #current(): {text: string; content: JsonObject} {
    const mark = this.#mark()
    if (this.#seen?.mark === mark) return this.#seen
    const text = mark === '' ? '{}' : this.#text()
    this.#seen = {mark, text, content: this.#parse(text)}
    return this.#seen
  }

  /** Nanoseconds, since two edits of the same size can fall into one millisecond; the inode, since we rename. */
  #mark(): string {
    const stats = statSync(this.#path, {throwIfNoEntry: false, bigint: true})
    return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : ''
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}'
      return fail('settings.invalid', {path: this.#path, reason: (error as Error).message}, error)
    }
  }

  #parse(text: string): JsonObject {
    let content: unknown
    try {
      content = JSON.parse(text)
    } catch (error) {
      return fail(
        'settings.invalid',
        {path: this.#path, reason: `line ${jsonLines(text).errorLine ?? 1} is no JSON`},
        error,
      )
    }
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return content as JsonObject
    return fail('settings.invalid', {path: this.#path, reason: 'line 1 does not begin a JSON object'})
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // The error that brought us here says it better, and the next write removes it.
  }
}

/** The new name itself must be on the disk. Not every file system can do that for a directory. */
function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r')
    fsyncSync(directory)
    closeSync(directory)
  } catch {
    // The content is safe under one of the two names.
  }
}
