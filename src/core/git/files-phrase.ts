import type {TreeStatus} from './status.ts'

const namedFiles = 3

/** `2 changed and 1 untracked file: a.txt, b.txt, c.txt`; undefined for a clean tree. */
export function filesPhrase(status: TreeStatus): string | undefined {
  const {changed, untracked} = status
  const total = changed + untracked
  if (total === 0) return undefined
  const counts = [changed > 0 && `${changed} changed`, untracked > 0 && `${untracked} untracked`].filter(
    Boolean,
  )
  const noun = (untracked || changed) === 1 ? 'file' : 'files'
  const names = [...status.changedPaths, ...status.untrackedPaths].slice(0, namedFiles)
  const more = total > names.length ? ` and ${total - names.length} more` : ''
  const least = status.truncated ? 'at least ' : ''
  return `${least}${counts.join(' and ')} ${noun}: ${names.map(printable).join(', ')}${more}`
}

/** A name with control or formatting characters could show as another one, so it is quoted. */
function printable(path: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(path) ? JSON.stringify(path) : path
}
