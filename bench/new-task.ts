import {join} from 'node:path'
import {launcher, PrivateTermic} from '../test/fixtures/termic.ts'
import {type Figure, inTurn, slowdown} from './figure.ts'
import {largeRepository, largeRepositoryFiles} from './large-repository.ts'
import {processCost} from './process-cost.ts'

const rounds = 9

/** What a task costs beside the worktree that it needs. */
export async function run(): Promise<Figure[]> {
  const termic = new PrivateTermic()
  const {env, place} = termic
  try {
    const cwd = await largeRepository(termic)
    await termic.json(['project', 'add'], {cwd})
    const wall = async (...argv: string[]) => (await processCost(argv, {cwd, env})).wallMs
    const [ours = [], bare = []] = await inTurn(rounds, [
      round => wall(launcher, 'new', `ours-${round}`),
      round => wall('git', 'worktree', 'add', '-b', `bare-${round}`, join(place, `bare-${round}`)),
    ])
    const name = `\`termic new\` in a repository of ${largeRepositoryFiles.toLocaleString('en')} files`
    return [slowdown({name, than: '`git worktree add`', ours, floor: bare}, {atMost: 1.4})]
  } finally {
    await termic.close()
  }
}
