import type {TaskSummary} from '../results.ts'

/** Diff counts in a table: `3f +10 -2 1u`; `-` for no change, `?` where git failed, `missing` without a worktree. */
export function diffCell({diff: {value}, missing}: Pick<TaskSummary, 'diff' | 'missing'>): string {
  if (missing) return 'missing'
  if (!value) return '?'
  const {filesChanged, insertions, deletions, untracked} = value
  if (filesChanged === 0) return '-'
  return `${filesChanged}f +${insertions} -${deletions}${untracked > 0 ? ` ${untracked}u` : ''}`
}
