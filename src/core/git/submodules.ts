import {lstatSync} from 'node:fs'
import {join} from 'node:path'
import {filesPhrase} from './files-phrase.ts'
import type {TreePlace} from './git-environment.ts'
import {readSmallFile} from './read-small-file.ts'
import {readGit} from './run-git.ts'
import {readStatus} from './status.ts'
import {worktreeGitDir} from './task-place.ts'

/**
 * Work in the submodules of a worktree that would be lost with it: each phrase names the submodule. Their git directories
 * are below the worktree's own (`<gitDir>/modules`), so commits that no remote has go as well. A repository that was added
 * like a file has no `.gitmodules`, so it is the index that is asked.
 */
export async function unsavedSubmodules(tree: TreePlace, signal?: AbortSignal): Promise<string[]> {
  const phrases: string[] = []
  for (const path of await submodulePaths(tree, signal)) {
    const phrase = await unsavedIn(tree, path, signal)
    if (phrase !== undefined) phrases.push(`submodule ${path}: ${phrase}`)
  }
  return phrases
}

async function submodulePaths(tree: TreePlace, signal?: AbortSignal): Promise<string[]> {
  const answer = await readGit(['ls-files', '--stage', '-z'], {
    cwd: tree.path,
    kind: 'read',
    hostile: true,
    tree,
    signal,
    maxBytes: 256 * 1024 * 1024,
  })
  return answer
    .split('\0')
    .filter(record => record.startsWith('160000 '))
    .map(record => record.slice(record.indexOf('\t') + 1))
}

async function unsavedIn(tree: TreePlace, path: string, signal?: AbortSignal): Promise<string | undefined> {
  const root = join(tree.path, path)
  // Not filled: an empty directory, or none.
  if (lstatSync(join(root, '.git'), {throwIfNoEntry: false}) === undefined) return undefined
  const gitDir = worktreeGitDir(root)
  // A git directory of its own, or one elsewhere: its configuration is the agent's, so git is not run there.
  if (gitDir === undefined || !gitDir.startsWith(`${join(tree.gitDir, 'modules')}/`))
    return 'it could not be looked into'
  if (!isHarmless(gitDir)) return 'it could not be looked into'
  const inner = {path: root, gitDir, commonDir: gitDir}
  const status = await readStatus(inner, signal)
  const files = filesPhrase(status)
  if (files !== undefined) return files
  const run = {cwd: root, kind: 'read', hostile: true, tree: inner, signal} as const
  const own = await readGit(['rev-list', '--count', '--branches', 'HEAD', '--not', '--remotes', '--'], run)
  if (own === '0') return undefined
  return own === '1' ? '1 commit that no remote has' : `${own} commits that no remote has`
}

/**
 * A cage leaves the worktree's git directory writable, and with it the configuration of the submodules, where a clean filter
 * would run outside of the cage. To be asked after the task's processes have ended.
 */
function isHarmless(gitDir: string): boolean {
  const config = readSmallFile(join(gitDir, 'config'))
  const hasMore = lstatSync(join(gitDir, 'config.worktree'), {throwIfNoEntry: false}) !== undefined
  return config !== undefined && config.length < 8_000 && !hasMore && !/filter|include/i.test(config)
}
