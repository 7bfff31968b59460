import {readGit} from './run-git.ts'

/** How things stand with a branch name before a task takes it. */
export interface BranchStanding {
  /** Its tip, when the branch exists. */
  commit?: string
  /** The worktree that has it checked out. */
  checkedOutAt?: string
  /** A branch that cannot exist beside it: git keeps refs as files, so `feat` and `feat/x` exclude each other. */
  conflict?: string
}

/** Looks a branch up, by one git process. `root` is any directory of the repository. */
export async function branchStanding(
  repository: {root: string; gitDir: string},
  branch: string,
): Promise<BranchStanding> {
  const {root, gitDir} = repository
  const ref = `refs/heads/${branch}`
  const steps = branch.split('/')
  // A pattern without wildcards matches the ref itself and everything below it.
  const patterns = steps.map((_, index) => `refs/heads/${steps.slice(0, index + 1).join('/')}`)
  // No -z in for-each-ref; a ref has no control character, so a NUL and a newline end a record even after an odd path.
  const answer = await readGit(
    ['for-each-ref', '--format=%(refname)%00%(objectname)%00%(worktreepath)%00', ...patterns],
    {cwd: root, kind: 'read', hostile: true, repository: gitDir},
  )
  const standing: BranchStanding = {}
  for (const record of `${answer}\n`.split('\0\n')) {
    const [name = '', commit = '', worktree = ''] = record.split('\0')
    if (name === ref) {
      standing.commit = commit
      if (worktree !== '') standing.checkedOutAt = worktree
    } else if (name.startsWith(`${ref}/`) || patterns.includes(name)) {
      standing.conflict ??= name.slice('refs/heads/'.length)
    }
  }
  return standing
}
