import {constants} from 'node:fs'
import {type FileHandle, lstat, open, readlink, realpath} from 'node:fs/promises'
import {join, relative} from 'node:path'

/** An untracked file as a diff shows it: all of it is new. */
export interface Untracked {
  path: string
  binary: boolean
  /** Null for a binary file, one too large to count, and a directory that is a repository of its own. */
  insertions: number | null
  mode: '100644' | '100755' | '120000' | '160000'
}

export interface UntrackedCount {
  files: Untracked[]
  insertions: number
  /** True when some of the files were not looked at. */
  truncated: boolean
}

/** Together under a tenth of a second from a warm disk cache. */
const maxFiles = 2_000
const maxTotalBytes = 32 * 1024 * 1024
/** Above it a file counts as binary; the same bound holds for the patch. */
export const maxFileBytes = 4 * 1024 * 1024
/** How far git looks for a NUL byte to call a file binary (`FIRST_FEW_BYTES` of xdiff-interface.c). */
const binaryProbeBytes = 8_000
const parallel = 16

/** Counts the lines of untracked files, for a bounded number of files and bytes. `paths` are relative to `root`. */
export async function countUntracked(
  root: string,
  paths: readonly string[],
  total: number,
): Promise<UntrackedCount> {
  const wanted = paths.slice(0, maxFiles)
  const canonicalRoot = wanted.length === 0 ? root : await realpath(root)
  const files: Untracked[] = new Array(wanted.length)
  let bytes = 0
  let skipped = total > wanted.length
  let next = 0
  await Promise.all(
    Array.from({length: Math.min(parallel, wanted.length)}, async () => {
      for (let index = next++; index < wanted.length; index = next++) {
        const path = wanted[index] ?? ''
        const isFull = bytes >= maxTotalBytes
        const found = await readUntracked(canonicalRoot, path, isFull ? 0 : maxFileBytes)
        bytes += found.content?.length ?? 0
        skipped ||= isFull || found.isLarge
        files[index] = found.file
      }
    }),
  )
  return {files, insertions: files.reduce((sum, file) => sum + (file.insertions ?? 0), 0), truncated: skipped}
}

export interface UntrackedContent {
  file: Untracked
  /** Absent for what is binary, large or no file. */
  content?: Buffer
  isLarge: boolean
}

/** One untracked file, up to `limitBytes` of it; `root` is canonical. Never reads outside the worktree, and never waits for a pipe's writer. */
export async function readUntracked(
  root: string,
  path: string,
  limitBytes: number,
): Promise<UntrackedContent> {
  const nothing = {file: {path, binary: true, insertions: null, mode: '100644'}, isLarge: false} as const
  // git lists a repository inside the tree as a directory.
  if (path.endsWith('/')) return {...nothing, file: {...nothing.file, mode: '160000'}}
  let handle: FileHandle
  try {
    handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    // A link, or a file that went away or may not be read: an agent works here at the same time.
    return (await readLink(root, path)) ?? nothing
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || !(await isInside(root, handle, path))) return nothing
    const mode = stat.mode & 0o100 ? '100755' : '100644'
    const isLarge = stat.size > limitBytes
    const content = await readUpTo(handle, isLarge ? binaryProbeBytes : limitBytes)
    const binary = content.subarray(0, binaryProbeBytes).includes(0)
    // A large binary file is fully told by being binary: nothing of it was left uncounted.
    if (isLarge || binary)
      return {file: {path, binary: true, insertions: null, mode}, isLarge: isLarge && !binary}
    return {file: {path, binary: false, insertions: countLines(content), mode}, content, isLarge: false}
  } finally {
    await handle.close()
  }
}

/** A symbolic link's content is its target, as in git. */
async function readLink(root: string, path: string): Promise<UntrackedContent | undefined> {
  try {
    if (!(await lstat(join(root, path))).isSymbolicLink()) return undefined
    const content = await readlink(join(root, path), 'buffer')
    return {file: {path, binary: false, insertions: 1, mode: '120000'}, content, isLarge: false}
  } catch {
    return undefined
  }
}

/**
 * O_NOFOLLOW looks at the last component only; a directory on the way may have become a link since git listed the path.
 * /proc tells what was really opened. Without it (macOS) the caged git of 50-sandbox.md is what protects.
 */
async function isInside(root: string, handle: FileHandle, path: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const opened = await readlink(`/proc/self/fd/${handle.fd}`)
  return relative(root, opened) === path
}

async function readUpTo(handle: FileHandle, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  while (total < bytes) {
    const {bytesRead, buffer} = await handle.read(Buffer.allocUnsafe(Math.min(64 * 1024, bytes - total)), 0)
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  return Buffer.concat(chunks)
}

/** A last line without a newline counts too, as in `git diff --numstat`. */
function countLines(content: Buffer): number {
  let lines = 0
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) lines++
  return content.length > 0 && content.at(-1) !== 10 ? lines + 1 : lines
}
