import {PrivateTermic} from '../test/fixtures/termic.ts'
import {elapsedMs, type Figure, inTurn, median} from './figure.ts'

const panes = 50
const rounds = 5

/** How long nobody watches the panes when the daemon is replaced. */
export async function run(): Promise<Figure[]> {
  const busy = new PrivateTermic()
  const idle = new PrivateTermic()
  try {
    const {path: cwd} = await busy.project()
    for (let number = 1; number <= panes; number++) await busy.json(['new', `task-${number}`], {cwd})
    const restart = (termic: PrivateTermic, livePanes: number) => () =>
      elapsedMs(async () => {
        const status = await termic.json(['daemon', 'restart'])
        if (status.livePanes !== livePanes)
          throw new Error(`${status.livePanes} of ${livePanes} panes adopted`)
      })
    const [withPanes = [], without = []] = await inTurn(rounds, [restart(busy, panes), restart(idle, 0)])
    const seconds = (ms: readonly number[]) => median(ms) / 1000
    return [
      {
        name: `\`termic daemon restart\` until ${panes} live panes are adopted`,
        measured: `${seconds(withPanes).toFixed(2)} s`,
        floor: `${seconds(without).toFixed(2)} s, without panes`,
        ...{value: seconds(withPanes), unit: 's', bound: {atMost: 1}},
      },
    ]
  } finally {
    await Promise.all([busy.close(), idle.close()])
  }
}
