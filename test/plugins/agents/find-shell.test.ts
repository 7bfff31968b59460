import {chmodSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs'
import {tmpdir, userInfo} from 'node:os'
import {basename, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {findShell} from '../../../src/plugins/agents/shell/find-shell.ts'
import shell, {kinds, plainKind} from '../../../src/plugins/agents/shell.ts'

/** A directory with programs of these names. */
function placeWith(...names: string[]): string {
  const place = mkdtempSync(join(tmpdir(), 'bin-'))
  for (const name of names) {
    writeFileSync(join(place, name), '#!/bin/sh\n')
    chmodSync(join(place, name), 0o755)
  }
  return place
}

test('$SHELL is taken where it has an integration', () => {
  const place = placeWith('bash', 'zsh', 'fish')
  for (const name of ['bash', 'zsh', 'fish']) {
    assert.equal(findShell({SHELL: join(place, name), PATH: '/nowhere'}), {name, path: join(place, name)})
  }
})

test('another $SHELL, or one that is not there, gives way to the login shell and then to any bash', () => {
  const place = placeWith('bash', 'nu')
  const login = userInfo().shell ?? ''
  const isUsable = ['bash', 'zsh', 'fish'].includes(basename(login))
  const expected = isUsable ? login : join(place, 'bash')
  for (const SHELL of [join(place, 'nu'), '/bin/sh', '/no/such/zsh', '']) {
    assert.is(findShell({SHELL, PATH: place})?.path, expected, SHELL)
  }
})

test('a directory of that name is no shell', () => {
  const place = placeWith()
  mkdirSync(join(place, 'fish'))
  assert.is.not(findShell({SHELL: join(place, 'fish'), PATH: place})?.path, join(place, 'fish'))
})

test('where there is a shell with integration, the kind is itself and says where its program is', async () => {
  const env = {SHELL: join(placeWith('zsh'), 'zsh'), PATH: '/nowhere'}
  assert.is(shell.inEnvironment?.(env), shell)
  assert.is(await shell.find(env), env.SHELL)
  assert.equal(kinds, [shell, plainKind])
})

test('the plain shell gives no signal and says so', async () => {
  assert.is(plainKind.signal, 'none')
  assert.is(plainKind.route, 'typed')
  const {argv, nonce} = await plainKind.launch({paneDir: '/pane', env: {}, cwd: '/', nonce: 'n'})
  assert.equal(argv, ['/bin/sh'])
  assert.is(nonce, undefined)
})

test.run()
