import {table} from '../text/table.ts'
import type {DiffResult} from './diff-result.ts'

/** A diff's summary: the counts, the commits, each file with what happened to it. */
export function describeDiff({
  filesChanged,
  insertions,
  deletions,
  untracked,
  commits,
  files,
  truncated,
}: DiffResult): string {
  if (filesChanged === 0 && commits.length === 0) return 'nothing changed'
  const counts = `${filesChanged} file${filesChanged === 1 ? '' : 's'} changed, +${insertions} -${deletions}`
  const lines = [
    counts +
      (untracked > 0 ? ` (${untracked} untracked)` : '') +
      (truncated ? '; there is more than is listed here' : ''),
  ]
  if (commits.length > 0)
    lines.push('commits:', ...commits.map(({hash, subject}) => `  ${hash.slice(0, 10)} ${subject}`))
  if (files.length > 0) {
    const [first = [], ...rest] = files.map(file => [file.status, changeOf(file), nameOf(file)])
    lines.push('files:', table(first, rest).replace(/^/gm, '  '))
  }
  return lines.join('\n')
}

function changeOf({binary, insertions, deletions}: DiffResult['files'][number]): string {
  if (binary) return 'binary'
  return insertions === null ? '?' : `+${insertions} -${deletions ?? 0}`
}

function nameOf({path, oldPath, oldMode, newMode, untracked}: DiffResult['files'][number]): string {
  const name = oldPath ? `${oldPath} → ${path}` : path
  return !untracked && oldMode && newMode ? `${name} (mode ${oldMode} → ${newMode})` : name
}
