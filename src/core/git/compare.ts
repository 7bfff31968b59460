import type {TreePlace} from './git-environment.ts'
import {runGit} from './run-git.ts'

export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typechange' | 'unmerged'

/** One tracked file that differs between the merge base and the working tree. */
export interface Change {
  path: string
  status: ChangeStatus
  /** Name at the merge base, of a renamed or copied file. */
  oldPath?: string
  binary: boolean
  /** Lines; null for a binary file, and for one too large to compare by lines. */
  insertions: number | null
  deletions: number | null
  /** Octal file modes, only where they differ: `100644`, `100755`, `120000` (link), `160000` (submodule). */
  oldMode?: string
  newMode?: string
}

export interface Changes {
  list: Change[]
  /** The commit-ish that the tree was compared with, and whether by way of the merge base. */
  against: Against
  truncated: boolean
}

export interface Against {
  base: string
  /** False when HEAD shares no history with the base, so that the base itself is compared. */
  viaMergeBase: boolean
}

const maxBytes = 16 * 1024 * 1024
const timeoutMs = 60_000

/**
 * What every diff of ours has in common, so that numbers and patch speak of the same files whatever the user's own
 * configuration says (`diff.renames`, `diff.noprefix`, `color.ui` …).
 */
export const diffOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--find-renames',
  '-l400',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
  '--ignore-submodules=dirty',
]

/** The arguments that name what is compared. */
export function againstArguments(against: Against): string[] {
  return against.viaMergeBase ? ['--merge-base', against.base] : [against.base]
}

/**
 * The tree (or with `staged` the index) against a commit; with `paths` only those. The index alone costs a seventh of the
 * tree, since no file is looked at (5,000 files: 2 ms of 14).
 */
export async function compare(
  tree: TreePlace,
  against: Against,
  {
    staged = false,
    paths = [],
    signal,
  }: {staged?: boolean; paths?: readonly string[]; signal?: AbortSignal} = {},
): Promise<Changes> {
  const format = ['--raw', '--numstat', '-z', ...(staged ? ['--cached'] : [])]
  // Of use only where every file is looked at.
  const preload = staged || paths.length > 0 ? ['-c', 'core.preloadIndex=false'] : []
  const {stdout, truncated} = await runGit(
    [
      ...preload,
      '--literal-pathspecs',
      'diff',
      ...diffOptions,
      ...format,
      ...againstArguments(against),
      '--',
      ...paths,
    ],
    {cwd: tree.path, kind: 'read', hostile: true, tree, maxBytes, timeoutMs, signal},
  )
  return {list: parseChanges(stdout.toString('utf8')), against, truncated}
}

const statusOf: Readonly<Record<string, ChangeStatus>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'typechange',
  U: 'unmerged',
}

/** `--raw --numstat -z`: all raw records, then all counts, both NUL-separated (git-diff(1), "raw output format"). */
function parseChanges(text: string): Change[] {
  const changes = new Map<string, Change>()
  const fields = text.split('\0')
  let index = 0
  const next = () => fields[index++] ?? ''
  while (index < fields.length - 1) {
    const field = next()
    if (field.startsWith(':')) takeRaw(field, next, changes)
    else takeCounts(field, next, changes)
  }
  // A file that was touched and is the same has a raw record and no counts.
  return [...changes.values()].filter(
    ({status, binary, insertions}) => status === 'unmerged' || binary || insertions !== null,
  )
}

function takeRaw(field: string, next: () => string, changes: Map<string, Change>): void {
  const [oldMode = '', newMode = '', , , letter = ''] = field.slice(1).split(' ')
  const status = statusOf[letter[0] ?? ''] ?? 'modified'
  const oldPath = status === 'renamed' || status === 'copied' ? next() : undefined
  const path = next()
  // An unmerged path may come twice, as U and as the change that its file is; the second has the counts.
  const change: Change = {path, status, binary: false, insertions: null, deletions: null}
  if (oldPath !== undefined) change.oldPath = oldPath
  if (oldMode !== newMode && status !== 'unmerged') {
    if (status !== 'added') change.oldMode = oldMode
    if (status !== 'deleted') change.newMode = newMode
  }
  changes.set(path, change)
}

function takeCounts(field: string, next: () => string, changes: Map<string, Change>): void {
  const [insertions, deletions, ...rest] = field.split('\t')
  let path = rest.join('\t')
  if (path === '') {
    next()
    path = next()
  }
  const change = changes.get(path)
  if (change === undefined) return
  change.binary = insertions === '-'
  change.insertions = change.binary ? null : Number(insertions)
  change.deletions = change.binary ? null : Number(deletions)
}
