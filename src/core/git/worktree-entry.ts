import {readdirSync, realpathSync, statSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {readSmallFile} from './read-small-file.ts'

/**
 * The git directory (`<commonDir>/worktrees/<id>`) of the worktree at `path`, or undefined when the repository knows none
 * there. Read from the repository's side; nothing in the worktree is looked at.
 */
export function worktreeEntry(commonDir: string, path: string): string | undefined {
  const canonical = canonicalPlace(path)
  return entries(commonDir).find(entry => {
    const recorded = readSmallFile(join(entry, 'gitdir'))?.trimEnd()
    // Relative since git 2.48 with worktree.useRelativePaths; then it counts from the entry.
    return recorded !== undefined && dirname(resolve(entry, recorded)) === canonical
  })
}

/**
 * Entries that `git worktree add` had begun for this path when it was killed: still locked as "initializing", which keeps
 * `git worktree prune` away, and with no path written yet. The entry's name begins with that of the directory.
 */
export function unfinishedEntries(commonDir: string, path: string): string[] {
  return entries(commonDir).filter(
    entry =>
      isNumberedFrom(basename(entry), entryName(path)) &&
      readSmallFile(join(entry, 'gitdir')) === undefined &&
      (readSmallFile(join(entry, 'locked')) ?? 'initializing').trimEnd() === 'initializing',
  )
}

/** The path with its parent resolved, as git records it; the last component need not exist. */
export function canonicalPlace(path: string): string {
  let parent = dirname(resolve(path))
  const rest = [basename(path)]
  while (statSync(parent, {throwIfNoEntry: false}) === undefined && parent !== dirname(parent)) {
    rest.unshift(basename(parent))
    parent = dirname(parent)
  }
  return join(realpathSync(parent), ...rest)
}

function entries(commonDir: string): string[] {
  const directory = join(commonDir, 'worktrees')
  if (statSync(directory, {throwIfNoEntry: false}) === undefined) return []
  return readdirSync(directory).map(name => join(directory, name))
}

/** git makes the name one that a ref could have (`sanitize_refname_component`), and adds a number when it is taken. */
function isNumberedFrom(name: string, start: string): boolean {
  return name.startsWith(start) && /^\d*$/.test(name.slice(start.length))
}

function entryName(path: string): string {
  return basename(path).replace(/[\p{Cc} ~^:?*[\\]/gu, '-')
}
