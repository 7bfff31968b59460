import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {start} from '../fixtures/running.ts'
import {checkout} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const demo = () => start('/bin/sh', [join(checkout, 'scripts/demo.sh')], {cwd: '/'})

test('the quickstart shows the main job and leaves nothing behind', async () => {
  const {exit, stdout, stderr} = await demo().ended
  assert.is(exit, 0, stderr)
  assert.is(stderr, '')
  const shown = [...stdout.matchAll(/^\$ (.+)$/gm)].map(([, command]) => command ?? '')
  for (const verb of ['new', 'wait', 'log', 'send', 'diff', 'status', 'list', 'path', 'archive', 'quit']) {
    assert.ok(shown.join('\n').includes(`termic ${verb}`), verb)
  }
  assert.match(stdout, /^FAILED: Ada may log in$/m)
  assert.match(stdout, /^\+export const mayLogIn = name => name\.toLowerCase\(\) === 'ada'$/m)
  assert.match(stdout, /^\$ kill -9 \d+$/m)
  assert.match(stdout, /^still at work$/m)
  assert.match(stdout, /^passed: Ada may log in$/m)
  assert.not.match(stdout + stderr, /warn|deprecat|npm notice/i)
  await leftNothing(stdout)
})

for (const [name, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`interrupted by ${name} in the middle, it leaves nothing behind either`, async () => {
    const running = demo()
    await running.says(/\$ termic wait fix-login/)
    running.signal(name)
    const {exit, stdout} = await running.ended
    assert.is(exit, exitCode)
    await leftNothing(stdout)
  })
}

test('when nobody reads on, it ends and leaves nothing behind', async () => {
  const script = join(checkout, 'scripts/demo.sh')
  const {stdout} = await start('/bin/sh', ['-c', `sh '${script}' | head -n 12`], {cwd: '/'}).ended
  const [home = ''] = /\/tmp\/termic-demo\.\w+/.exec(stdout) ?? []
  await until('it has cleaned up', () => !existsSync(home))
  await leftNothing(stdout)
})

test.run()

async function leftNothing(stdout: string): Promise<void> {
  const [home = ''] = /\/tmp\/termic-demo\.\w+/.exec(stdout) ?? []
  assert.not.equal(home, '')
  assert.not(existsSync(home))
  await until('nothing of it runs', () => processesThatName(home).length === 0)
}

/** In argv, environment or working directory. */
function processesThatName(text: string): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      const about =
        readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
      return about.includes(text)
    } catch {
      // It ended while we looked.
      return false
    }
  })
}
