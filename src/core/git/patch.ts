import {realpath} from 'node:fs/promises'
import {type Against, againstArguments, diffOptions} from './compare.ts'
import type {TreePlace} from './git-environment.ts'
import {runGit} from './run-git.ts'
import {maxFileBytes, readUntracked, type Untracked} from './untracked.ts'

/** One page of a patch. Offsets are bytes of the whole patch. */
export interface PatchPage {
  patch: string
  offset: number
  /** Where the next page begins, never inside a character. */
  nextOffset: number
  eof: boolean
}

export interface PatchWanted {
  offset: number
  /** Bytes of a page, at least 4 (the longest character). */
  limit: number
}

const timeoutMs = 120_000

/**
 * A page of the patch of tracked changes followed by that of the untracked files (each as a new file). The whole is never
 * held in memory: git's output is passed over up to the page, and git is ended behind it.
 */
export async function readPatch(
  tree: TreePlace,
  against: Against,
  untracked: readonly Untracked[],
  {offset, limit}: PatchWanted,
  signal?: AbortSignal,
): Promise<PatchPage> {
  // One byte more than the page, to see whether there is one.
  const room = Math.max(limit, 4) + 1
  const tracked = await runGit(['diff', ...diffOptions, '--patch', ...againstArguments(against), '--'], {
    cwd: tree.path,
    kind: 'read',
    hostile: true,
    tree,
    skipBytes: offset,
    maxBytes: room,
    timeoutMs,
    signal,
  })
  const page = new Page(offset, room, tracked.stdout, tracked.totalBytes)
  if (!tracked.truncated && untracked.length > 0) {
    const root = await realpath(tree.path)
    for (const file of untracked) {
      if (page.isFull) break
      signal?.throwIfAborted()
      // What was not counted is not shown either; so a page reads no more than the count did.
      const content = file.binary ? undefined : (await readUntracked(root, file.path, maxFileBytes)).content
      page.add(newFilePatch(file, content))
    }
  }
  return page.cut()
}

class Page {
  readonly #offset: number
  readonly #room: number
  readonly #chunks: Buffer[]
  #kept: number
  /** Bytes of the whole patch so far. */
  #total: number

  constructor(offset: number, room: number, first: Buffer, total: number) {
    this.#offset = offset
    this.#room = room
    this.#chunks = [first]
    this.#kept = first.length
    this.#total = total
  }

  get isFull(): boolean {
    return this.#kept >= this.#room
  }

  add(bytes: Buffer): void {
    const from = Math.max(0, this.#offset - this.#total)
    const part = bytes.subarray(from, from + this.#room - this.#kept)
    this.#total += bytes.length
    this.#kept += part.length
    this.#chunks.push(part)
  }

  cut(): PatchPage {
    const bytes = Buffer.concat(this.#chunks)
    const eof = !this.isFull
    const length = eof ? bytes.length : characterEnd(bytes, this.#room - 1)
    const offset = Math.min(this.#offset, eof ? this.#total : this.#offset)
    return {patch: bytes.toString('utf8', 0, length), offset, nextOffset: offset + length, eof}
  }
}

/** The largest end of a UTF-8 character up to `end`; `end` itself in what is not UTF-8. */
function characterEnd(bytes: Buffer, end: number): number {
  let start = end
  while (start > 0 && end - start < 3 && isContinuation(bytes[start])) start--
  return isContinuation(bytes[start]) ? end : start
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** What `git diff --no-index` would print, in one process less for each file and without following links. */
function newFilePatch(file: Untracked, content: Buffer | undefined): Buffer {
  const name = quoted(file.path)
  const head = `diff --git ${quoted(`a/${file.path}`)} ${quoted(`b/${file.path}`)}\nnew file mode ${file.mode}\n`
  if (content === undefined)
    return Buffer.from(`${head}Binary files /dev/null and ${quoted(`b/${file.path}`)} differ\n`)
  if (content.length === 0) return Buffer.from(head)
  const endsOpen = content.at(-1) !== 10
  const lines = content
    .toString('latin1')
    .slice(0, endsOpen ? undefined : -1)
    .split('\n')
  const range = lines.length === 1 ? '+1' : `+1,${lines.length}`
  const tab = name.includes(' ') && !name.startsWith('"') ? '\t' : ''
  const start = Buffer.from(
    `${head}--- /dev/null\n+++ ${quoted(`b/${file.path}`)}${tab}\n@@ -0,0 ${range} @@\n`,
  )
  const body = Buffer.from(`${lines.map(line => `+${line}`).join('\n')}\n`, 'latin1')
  return Buffer.concat([start, body, Buffer.from(endsOpen ? '\\ No newline at end of file\n' : '')])
}

/** git's way: a C string in quotes when the path has a control character, a quote or a backslash. */
function quoted(path: string): string {
  if (!/[\p{Cc}"\\]/u.test(path)) return path
  const octal = (char: string) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${path.replace(/[\p{Cc}"\\]/gu, char => named[char] ?? octal(char))}"`
}

const named: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}
