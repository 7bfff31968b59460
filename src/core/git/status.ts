import type {TreePlace} from './git-environment.ts'
import {runGit} from './run-git.ts'

/** What `git status` says of a worktree. */
export interface TreeStatus {
  headRef: string | null
  /** Empty when HEAD names a branch without a commit. */
  headCommit: string
  /** Tracked files that differ from HEAD, in the index or in the tree. */
  changed: number
  untracked: number
  /** The first of the changed paths and of the untracked ones; a directory that is a repository ends with `/`. */
  changedPaths: string[]
  untrackedPaths: string[]
  /** Those of the changed paths that a merge left in conflict. */
  unmergedPaths: string[]
  /** The first of the paths whose file differs from the index, and how many there are. */
  editedPaths: string[]
  edited: number
  /** True when git had more to say than was read, so that the counts are lower bounds. */
  truncated: boolean
}

/** About 250,000 paths; beyond that an un-ignored build directory is all that anyone needs to know. */
const maxBytes = 16 * 1024 * 1024
const keptPaths = 2_000
const timeoutMs = 60_000

/** `git status` of a tree that an agent may have written; ignored files are left out. */
export async function readStatus(tree: TreePlace, signal?: AbortSignal): Promise<TreeStatus> {
  const {stdout, truncated} = await runGit(
    [
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--find-renames',
      // Counting the commits to an upstream can take longer than all the rest.
      '--no-ahead-behind',
      // `dirty`: a submodule's commit counts, but no git is started inside it, where `-c` options do not reach and the
      // configuration is the agent's.
      '--ignore-submodules=dirty',
    ],
    {cwd: tree.path, kind: 'read', hostile: true, tree, maxBytes, timeoutMs, signal},
  )
  const status: TreeStatus = {
    headRef: null,
    headCommit: '',
    changed: 0,
    untracked: 0,
    changedPaths: [],
    untrackedPaths: [],
    unmergedPaths: [],
    editedPaths: [],
    edited: 0,
    truncated,
  }
  const records = stdout.toString('utf8').split('\0')
  // What follows the last NUL is nothing, or the half record at which reading stopped.
  records.pop()
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? ''
    take(status, record)
    // A rename is followed by the path that it had.
    if (record.startsWith('2 ')) index++
  }
  return status
}

/** Fields before the path, by the record's kind (git-status(1), porcelain format version 2). */
const fieldsBeforePath: Readonly<Record<string, number>> = {'1': 8, '2': 9, u: 10}

function take(status: TreeStatus, record: string): void {
  if (record.startsWith('? ')) {
    status.untracked++
    if (status.untrackedPaths.length < keptPaths) status.untrackedPaths.push(record.slice(2))
  } else if (record.startsWith('# branch.oid ')) {
    const commit = record.slice('# branch.oid '.length)
    status.headCommit = commit === '(initial)' ? '' : commit
  } else if (record.startsWith('# branch.head ')) {
    const name = record.slice('# branch.head '.length)
    status.headRef = name === '(detached)' ? null : `refs/heads/${name}`
  } else {
    const fields = fieldsBeforePath[record[0] ?? '']
    if (fields === undefined) return
    takeChanged(status, record, fields)
  }
}

function takeChanged(status: TreeStatus, record: string, fields: number): void {
  const isUnmerged = record.startsWith('u')
  // XY: the index against HEAD, the tree against the index.
  const isEdited = isUnmerged || record[3] !== '.'
  status.changed++
  if (isEdited) status.edited++
  if (status.changedPaths.length >= keptPaths) return
  const path = record.split(' ').slice(fields).join(' ')
  status.changedPaths.push(path)
  if (isEdited) status.editedPaths.push(path)
  if (isUnmerged) status.unmergedPaths.push(path)
}
