import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {hostScope} from '../../../src/core/pane/host-scope.ts'
import {startHost} from '../../../src/core/pane/spawn-host.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {hostEntry, launchOf, paneDir, until} from './pane-under-test.ts'

/** A user manager that notes what it is asked and, like systemd-run --scope, becomes the command. */
function managerThat(answers: boolean): {env: Record<string, string>; asked: string} {
  const dir = privateDir()
  const asked = join(dir, 'asked')
  const program = join(dir, 'systemd-run')
  const become = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
  writeFileSync(program, `#!/bin/sh\necho "$@" >> '${asked}'\n${answers ? become : 'exit 1'}\n`)
  chmodSync(program, 0o755)
  mkdirSync(join(dir, 'systemd'))
  writeFileSync(join(dir, 'systemd/private'), '')
  return {env: {PATH: `${dir}:${process.env.PATH}`, XDG_RUNTIME_DIR: dir}, asked}
}

test('a host starts in a scope of its own where a user manager answers, and works as without', async () => {
  const {env, asked} = managerThat(true)
  const scope = await hostScope(env)
  assert.ok(scope.includes('--scope'))
  const dir = paneDir()
  const ready = await startHost({paneDir: dir, hostEntry, scope, env}).launch(launchOf(dir, ['true']))
  assert.is(ready.ready, true)
  assert.match(readFileSync(asked, 'utf8'), /--user --scope .*host\.ts/)
  if (ready.ready) await until('its host has ended', () => !existsSync(`/proc/${ready.hostPid}`))
  assert.match(readFileSync(join(dir, 'pane.json'), 'utf8'), /"code":0/)
})

test('a manager that refuses, or none, leaves the host without a scope', async () => {
  assert.equal(await hostScope(managerThat(false).env), [])
  assert.equal(await hostScope({PATH: process.env.PATH}), [])
  assert.equal(await hostScope({...managerThat(true).env, XDG_RUNTIME_DIR: privateDir()}), [])
})

test.run()
