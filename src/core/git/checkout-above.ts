import {lstatSync, realpathSync} from 'node:fs'
import {dirname, join} from 'node:path'

/**
 * The `.git` directory of the ordinary checkout that `cwd` is in, found without git as git would find it. Undefined where
 * that needs git: a linked worktree, a submodule, a bare repository, no repository at all.
 */
export function checkoutAbove(cwd: string): string | undefined {
  for (let dir = realpathSync(cwd); ; dir = dirname(dir)) {
    const entry = lstatSync(join(dir, '.git'), {throwIfNoEntry: false})
    if (entry) return entry.isDirectory() ? join(dir, '.git') : undefined
    if (looksBare(dir) || dir === dirname(dir)) return undefined
  }
}

/** Two of the three names by which git takes a directory for a repository itself. */
function looksBare(dir: string): boolean {
  return ['HEAD', 'objects'].every(name => lstatSync(join(dir, name), {throwIfNoEntry: false}))
}
