import {readGit} from './run-git.ts'

/** The short names of all local branches. */
export async function branchNames({root, gitDir}: {root: string; gitDir: string}): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']
  const answer = await readGit(args, {cwd: root, kind: 'read', hostile: true, repository: gitDir})
  return answer === '' ? [] : answer.split('\n')
}
