import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {loginEnvironment} from '../../src/core/login-environment.ts'
import {manualClock} from '../fixtures/manual-clock.ts'
import {privateDir} from '../fixtures/private-dir.ts'

/** A shell whose start files are `body`; it then runs the words of its last argument as a real one does. */
function fakeShell(body: string, dir = privateDir()): string {
  const path = join(dir, 'shell')
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\n${body}\neval "$last"\n`, {mode: 0o755})
  return path
}

const bare = (shell: string) => ({PATH: '/usr/bin:/bin', SHELL: shell, TERMIC_TASK: 'outer'})

// kunchenguid/no-mistakes#143, its-ahoh/codey#286: version managers put themselves into PATH only in interactive shells.
test('the environment is what the start files of a login interactive shell make of it', async () => {
  const dir = privateDir()
  const shell = fakeShell(`echo "$@" > ${dir}/words; export PATH="/nvm/bin:$PATH" MULTI="a\nb=c"`, dir)
  const {env, note} = await loginEnvironment({env: bare(shell)}).get()
  assert.is(note, undefined)
  assert.equal([env.PATH, env.MULTI], ['/nvm/bin:/usr/bin:/bin', 'a\nb=c'])
  assert.match(readFileSync(join(dir, 'words'), 'utf8'), /^-l -i -c /)
  assert.equal(
    Object.keys(env).filter(name => /^TERMIC_|^SHLVL$|^_$|^PWD$|^TERM$/.test(name)),
    [],
  )
})

test('what start files print is no part of it', async () => {
  const shell = fakeShell(
    'echo "Welcome! PATH=/wrong"; printf "no newline"; echo oops >&2; trap "echo bye" EXIT',
  )
  const {env, note} = await loginEnvironment({env: bare(shell)}).get()
  assert.equal([env.PATH, note], ['/usr/bin:/bin', undefined])
})

test('home, user and shell are found where the daemon was told none', async () => {
  const {env, note} = await loginEnvironment({env: {PATH: '/usr/bin:/bin'}, limitMs: 60_000}).get()
  assert.is(note, undefined)
  for (const name of ['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH']) assert.ok(env[name], name)
})

test('a shell that hangs is ended in time, with what it started, and the own environment is used with a note', async () => {
  const shell = fakeShell('sleep 1000 & exec sleep 1000')
  const {env, note} = await loginEnvironment({env: bare(shell), limitMs: 300}).get()
  assert.match(note ?? '', /no answer within 0\.3 s/)
  assert.is(env.PATH, '/usr/bin:/bin')
  assert.not('TERMIC_TASK' in env)
})

test('a shell that fails, floods or is not there is a note', async () => {
  const noteOf = async (shell: string) =>
    (await loginEnvironment({env: bare(shell), limitMs: 20_000}).get()).note ?? ''
  assert.match(await noteOf(fakeShell('exit 3')), /it ended with 3 and no answer/)
  assert.match(await noteOf(fakeShell('exec yes')), /it printed too much/)
  assert.match(await noteOf('/absent/shell'), /ENOENT/)
})

test('it is asked once, by all who ask at the same time and later', async () => {
  const dir = privateDir()
  const login = loginEnvironment({env: bare(fakeShell(`echo x >> ${dir}/runs`, dir))})
  await Promise.all([login.get(), login.get()])
  await login.get()
  assert.is(readFileSync(join(dir, 'runs'), 'utf8'), 'x\n')
})

// The first termic kept a failed probe, and every session missed PATH for the life of the app.
test('a failure is tried again later, not at once and not never', async () => {
  const dir = privateDir()
  const clock = manualClock()
  const shell = fakeShell('exit 1', dir)
  const login = loginEnvironment({env: bare(shell), clock, retryAfterMs: 60_000})
  assert.ok((await login.get()).note)
  fakeShell(`echo x >> ${dir}/runs; export FOUND=1`, dir)
  clock.advance(59_999)
  assert.ok((await login.get()).note)
  assert.not(existsSync(join(dir, 'runs')))
  clock.advance(1)
  assert.is((await login.get()).env.FOUND, '1')
})

test.run()
