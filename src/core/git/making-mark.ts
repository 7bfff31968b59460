import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {readSmallFile} from './read-small-file.ts'

/**
 * Proof that a worktree is the work of one task's creation: first a file beside the repository's own (written when all
 * checks have passed and nothing is made yet), then one in the worktree's entry. Without it an undo after a crash could
 * not tell a half-made worktree from one that stood at that place, with that branch, all along.
 */
const making = (commonDir: string, id: string) => join(commonDir, 'termic', 'making', id)
const made = (entry: string) => join(entry, 'termic-task')

export function markBegun(commonDir: string, id: string, path: string): void {
  mkdirSync(join(commonDir, 'termic', 'making'), {recursive: true})
  writeFileSync(making(commonDir, id), `${path}\n`)
}

export function markMade(commonDir: string, id: string, entry: string): void {
  writeFileSync(made(entry), `${id}\n`)
  unmark(commonDir, id)
}

/** What the task's creation may have left: `making` anything, `made` a whole worktree, undefined nothing. */
export function markOf(
  commonDir: string,
  id: string,
  entry: string | undefined,
): 'making' | 'made' | undefined {
  if (existsSync(making(commonDir, id))) return 'making'
  return entry !== undefined && readSmallFile(made(entry))?.trimEnd() === id ? 'made' : undefined
}

export function unmark(commonDir: string, id: string): void {
  rmSync(making(commonDir, id), {force: true})
}
