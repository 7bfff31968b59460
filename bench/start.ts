import {rmSync} from 'node:fs'
import {launcher, PrivateTermic} from '../test/fixtures/termic.ts'
import {type Figure, inTurn, slowdown} from './figure.ts'
import {processCost} from './process-cost.ts'

const rounds = {warm: 40, cold: 10}

/** What a call costs with a daemon that runs, and with none. */
export async function run(): Promise<Figure[]> {
  return [...(await warm()), ...(await cold())]
}

async function warm(): Promise<Figure[]> {
  const termic = new PrivateTermic()
  try {
    const {path: cwd} = await termic.project()
    for (const name of ['one', 'two', 'three', 'four', 'five']) await termic.json(['new', name], {cwd})
    const cost = (...argv: string[]) => processCost(argv, {cwd, env: termic.env})
    await cost(launcher, 'list')
    const [list = [], bare = []] = await inTurn(rounds.warm, [
      () => cost(launcher, 'list'),
      () => cost(process.execPath, '-e', '0'),
    ])
    const compared = (name: string, of: 'wallMs' | 'cpuMs') =>
      slowdown(
        {name, than: '`node -e 0`', ours: list.map(cost => cost[of]), floor: bare.map(cost => cost[of])},
        {atMost: 1.4},
      )
    return [
      compared('`termic list` of 5 tasks, wall time', 'wallMs'),
      compared('`termic list` of 5 tasks, CPU time', 'cpuMs'),
    ]
  } finally {
    await termic.close()
  }
}

async function cold(): Promise<Figure[]> {
  const termic = new PrivateTermic()
  const {env, home: cwd, dataDir} = termic
  const list = async () => {
    await termic.close()
    return (await processCost([launcher, 'list'], {cwd, env})).wallMs
  }
  try {
    await list()
    const [again = [], first = [], bare = []] = await inTurn(rounds.cold, [
      list,
      async () => {
        await termic.close()
        rmSync(dataDir, {recursive: true})
        return list()
      },
      async () => (await processCost([process.execPath, '-e', '0'], {cwd, env})).wallMs,
    ])
    const compared = {than: '`node -e 0`', floor: bare}
    return [
      slowdown({name: 'start of the daemon and its first answer', ours: again, ...compared}, {atMost: 6}),
      slowdown({name: 'the same in a new data directory', ours: first, ...compared}),
    ]
  } finally {
    await termic.close()
  }
}
