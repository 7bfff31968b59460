import {existsSync, mkdirSync, realpathSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {installedShells} from '../fixtures/installed-shells.ts'
import {PrivateTermic} from '../fixtures/termic.ts'

for (const {name: shell, path: shellPath} of installedShells) {
  test(`with ${shell}: new, list, send, wait, diff, status, path and archive from a sub-directory`, async () => {
    await using termic = new PrivateTermic({env: {SHELL: shellPath}})
    const repository = await termic.repository({path: 'my shop', files: {'src/app/main.js': 'one\n'}})
    const cwd = join(repository.path, 'src/app')
    const ok = async (argv: string[]) => {
      const {exit, stdout, stderr} = await termic.run(argv, {cwd})
      assert.is(exit, 0, `${argv.join(' ')}: ${stdout}${stderr}`)
      assert.is(stderr, '', argv.join(' '))
      return stdout
    }

    const created = await ok(['new', 'fix-login', '--yes', '-p', 'echo two >> src/app/main.js'])
    assert.match(created, /^created my shop\/fix-login\n/)
    assert.match(await ok(['list']), /^PROJECT +TASK +AGENT +STATE +DIFF +BRANCH\nmy shop +fix-login +shell /)
    assert.is(await ok(['wait', 'fix-login']), 'the agent has finished, exit code 0\n')

    assert.match(await ok(['send', 'fix-login', '-p', 'touch "a b"; false']), /^\S/)
    assert.is(await ok(['wait', 'fix-login']), 'the agent has finished, exit code 1\n')
    const diff = await ok(['diff', 'fix-login'])
    assert.match(diff, /src\/app\/main\.js/)
    assert.match(diff, /a b/)

    const {task} = JSON.parse(await ok(['status', 'fix-login', '--json']))
    assert.is(task.state.name, 'done')
    assert.is(task.lastDelivery.exitCode, 1)
    assert.equal(task.dirty, {changed: 1, untracked: 1})
    assert.is(task.head.branch, 'fix-login')

    const path = (await ok(['path', 'fix-login'])).trimEnd()
    assert.ok(existsSync(join(path, 'a b')))
    assert.not(path.startsWith(termic.dataDir))
    assert.match(await ok(['list']), /fix-login +shell +done +2f \+1 -0 1u +fix-login/)

    await termic.run(['send', 'fix-login', '--wait', '-p', 'git add -A && git commit -qm done'], {cwd})
    const archived = await ok(['archive', 'fix-login', '--yes'])
    assert.match(archived, /archived my shop\/fix-login \(1 terminal ended\); branch fix-login is kept/)
    assert.not(existsSync(path))
    assert.is(await repository.git('log', '-1', '--format=%s', 'fix-login'), 'done')
  })
}

test('inside of a task its name may be left out', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const {task} = await termic.json(['new', 'here'], {cwd: repository.path})
  const below = join(task.path, 'deep/er')
  mkdirSync(below, {recursive: true})
  const {exit, stdout} = await termic.run(['path'], {cwd: below})
  assert.is(exit, 0)
  assert.is(realpathSync(stdout.trimEnd()), realpathSync(task.path))
})

test.run()
