import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon} from '../fixtures/daemon-process.ts'
import {installedShells} from '../fixtures/installed-shells.ts'
import {JsonClient} from '../fixtures/json-client.ts'
import {run} from '../fixtures/running.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** What one delivery goes through, as its row tells it; the crashes are spread over these. */
const moments = [
  `state = 'queued' AND progress LIKE '%writing%'`,
  `state = 'written'`,
  `state = 'submitted'`,
  `state = 'started'`,
  `state = 'settled' AND seq = (SELECT max(seq) FROM deliveries WHERE state = 'settled')`,
]

for (const {name: shell, path: shellPath} of installedShells) {
  const crashes = shell === 'bash' ? 20 : 5
  test(`${crashes} times kill -9 among ${3 * crashes} prompts to ${shell}: each runs once, in order`, async () => {
    await using termic = new PrivateTermic({env: {SHELL: shellPath}})
    const repository = await termic.project()
    const gate = join(termic.place, 'gate')
    await run('mkfifo', [gate])
    const {task} = await termic.json(['new', 'many'], {cwd: repository.path})
    await queue(termic, gate, 3 * crashes)
    const states: string[] = []
    for (let crash = 0; crash < crashes; crash++) {
      await termic.json(['list'])
      const held = `id = 'p${3 * crash + 1}' AND state = 'started'`
      await until('the agent is at the gate', () => isAt(termic, held))
      writeFileSync(gate, '')
      const moment = moments[crash % moments.length] as string
      const next =
        crash === crashes - 1
          ? `id = 'p${3 * crashes}' AND state = 'settled'`
          : `id = 'p${3 * crash + 4}' AND state = 'started'`
      while (isAt(termic, held) || !(isAt(termic, moment) || isAt(termic, next)))
        await new Promise(resolve => setImmediate(resolve))
      await crashDaemon(termic)
      states.push(stateOfQueue(termic))
    }
    const {outcomes} = await termic.json(['wait', 'many'])
    assert.is(outcomes[0].outcome, 'done')
    const ran = readFileSync(join(task.path, 'ran'), 'utf8').trim().split('\n').map(Number)
    const all = Array.from({length: 3 * crashes}, (_, index) => index + 1)
    assert.equal(ran, all, states.join('\n'))
    const ends = termic.rows(`SELECT state, exit_code, count(*) AS count FROM deliveries GROUP BY 1, 2`)
    assert.equal(ends, [{state: 'settled', exit_code: 0, count: 3 * crashes}])
    // Else the crashes would all have come between two deliveries.
    assert.ok(new Set(states).size > 1, states.join('\n'))
  })
}

/** Every third prompt waits at the gate, so that each crash finds the agent at work whatever its pace. */
async function queue(termic: PrivateTermic, gate: string, count: number): Promise<void> {
  const client = await JsonClient.connect(termic)
  for (let number = 1; number <= count; number++) {
    const wait = number % 3 === 1 ? `cat ${gate}; ` : ''
    const prompt = `${wait}echo ${number} >> ran`
    await client.result('task.send', {task: 'many', prompt, deliveryId: `p${number}`})
  }
  client.destroy()
}

function isAt(termic: PrivateTermic, moment: string): boolean {
  return termic.rows(`SELECT 1 FROM deliveries WHERE ${moment}`).length > 0
}

/** Of the oldest prompt that is open; what the crash left. */
function stateOfQueue(termic: PrivateTermic): string {
  const [first] = termic.rows(
    `SELECT state, progress FROM deliveries WHERE state != 'settled' ORDER BY seq LIMIT 1`,
  )
  if (!first) return 'over'
  return first.state === 'queued' && first.progress?.includes('writing') ? 'writing' : first.state
}

test('kill -9 of the daemon while a prompt runs: its end and exit code are known to the next one', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  await termic.json(['new', 'one'], {cwd: repository.path})
  const {delivery} = await termic.json(['send', 'one', '-p', `cat ${gate}; echo x >> ran; (exit 7)`])
  await until('it runs', () => termic.rows(`SELECT 1 FROM deliveries WHERE state = 'started'`).length > 0)
  await crashDaemon(termic)
  // It ends while no daemon is there to see it.
  const worktree = join(termic.home, 'termic/tasks/shop/one')
  writeFileSync(gate, '')
  await until('it has run', () => existsSync(join(worktree, 'ran')))
  const {task} = await termic.json(['status', 'one'])
  assert.is(task.lastDelivery.id, delivery.id)
  await termic.json(['wait', 'one'])
  const after = await termic.json(['status', 'one'])
  assert.equal([after.task.lastDelivery.state, after.task.lastDelivery.exitCode], ['settled', 7])
  assert.is(readFileSync(join(worktree, 'ran'), 'utf8'), 'x\n')
})

test('a sender that hears nothing may send the same id again: the prompt runs once', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const {task} = await termic.json(['new', 'one'], {cwd: repository.path})
  for (let crash = 0; crash < 5; crash++) {
    const argv = ['send', 'one', '--delivery-id', `mine-${crash}`, '-p', `echo ${crash} >> ran`]
    const client = termic.start([...argv, '--wait', '--json'], {cwd: repository.path})
    const isKnown = () => termic.rows('SELECT 1 FROM deliveries WHERE id = ?', `mine-${crash}`).length > 0
    await until('its row is there', isKnown)
    await crashDaemon(termic)
    // It takes its wait up again by itself, with the daemon that it starts.
    const {exit, stdout, stderr} = await client.ended
    // Unless it died before it could say that the prompt was kept.
    assert.ok(exit === 0 || exit === 8, `${exit}: ${stdout}${stderr}`)
    if (exit === 0) assert.is(JSON.parse(stdout).wait.outcome, 'done')
    const again = await termic.json([...argv, '--wait'])
    assert.equal([again.delivery.state, again.wait.outcome], ['settled', 'done'])
  }
  assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), '0\n1\n2\n3\n4\n')
})

test.run()
