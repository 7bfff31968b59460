import type {DiffCounts} from '../task/types.ts'
import type {Change, ChangeStatus, Changes} from './compare.ts'
import {diffCounts, readTree} from './facts.ts'
import type {TreePlace} from './git-environment.ts'
import {type PatchPage, readPatch} from './patch.ts'
import {runGit} from './run-git.ts'
import type {TreeStatus} from './status.ts'
import {type GitTask, taskPlace} from './task-place.ts'
import type {Untracked} from './untracked.ts'

export interface DiffFile extends Omit<Change, 'status'> {
  status: ChangeStatus | 'untracked'
  untracked: boolean
}

export interface TaskDiff extends DiffCounts, Partial<PatchPage> {
  /** Commits of HEAD that the base has not, newest first. */
  commits: {hash: string; subject: string}[]
  /** Changed files, then untracked ones; at most 2,000 of each, the counts speak of all. */
  files: DiffFile[]
  /** True when files are missing in the list or numbers are lower bounds. */
  truncated: boolean
}

export interface DiffOptions {
  /** With a page of the patch: `patch`, `offset`, `nextOffset`, `eof`. */
  full?: boolean
  /** Bytes of the patch; default 0. */
  offset?: number
  /** Bytes of the page; default 256 KiB. */
  limit?: number
  signal?: AbortSignal
}

const maxFiles = 2_000
const maxCommits = 1_000
const defaultLimitBytes = 256 * 1024

/**
 * What a task changed since it left its base: the working tree against the merge base, untracked files included.
 *
 * Throws `task.missing` and git's failures.
 */
export async function readDiff(task: GitTask, wanted: DiffOptions = {}): Promise<TaskDiff> {
  const {signal} = wanted
  const tree = taskPlace(task)
  const {status, changes, untracked} = await readTree(tree, task, signal)
  const page = {offset: wanted.offset ?? 0, limit: wanted.limit ?? defaultLimitBytes}
  const [commits, patch] = await Promise.all([
    readCommits(tree, status, changes, signal),
    wanted.full ? readPatch(tree, changes.against, untracked.files, page, signal) : undefined,
  ])
  const counts = diffCounts(status, changes, untracked)
  const files = [...changedFiles(changes, status), ...untracked.files.slice(0, maxFiles).map(asDiffFile)]
  const truncated = counts.truncated === true || files.length < counts.filesChanged || commits.truncated
  return {...counts, commits: commits.list, files, truncated, ...patch}
}

function changedFiles(changes: Changes, status: TreeStatus): DiffFile[] {
  const unmerged = new Set(status.unmergedPaths)
  return changes.list.slice(0, maxFiles).map(change => ({
    ...change,
    // Against the merge base a file in conflict looks like a modified one; only the index knows.
    status: unmerged.has(change.path) ? 'unmerged' : change.status,
    untracked: false,
  }))
}

function asDiffFile({path, binary, insertions, mode}: Untracked): DiffFile {
  return {
    path,
    status: 'untracked',
    binary,
    insertions,
    deletions: binary ? null : 0,
    newMode: mode,
    untracked: true,
  }
}

async function readCommits(tree: TreePlace, status: TreeStatus, {against}: Changes, signal?: AbortSignal) {
  if (status.headCommit === '') return {list: [], truncated: false}
  const {stdout} = await runGit(
    [
      'log',
      '-z',
      '--format=%H %s',
      '--encoding=UTF-8',
      `--max-count=${maxCommits + 1}`,
      `${against.base}..HEAD`,
      '--',
    ],
    {cwd: tree.path, kind: 'read', hostile: true, tree, signal},
  )
  const records = stdout
    .toString('utf8')
    .split('\0')
    .filter(record => record !== '')
  const list = records.slice(0, maxCommits).map(record => {
    const [hash = ''] = record.split(' ', 1)
    return {hash, subject: record.slice(hash.length + 1)}
  })
  return {list, truncated: records.length > maxCommits}
}
