import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {repositoryAt} from '../fixtures/repository.ts'
import {PrivateTermic} from '../fixtures/termic.ts'

test('a repository without a remote: the base is the local default branch, also while another is checked out', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd, git} = await termic.project()
  await git('switch', '-q', '-c', 'aside')
  const {task} = await termic.json(['new', 'fix'], {cwd})
  assert.is(task.base, 'main')
  const {diff} = (await termic.json(['status', 'fix'])).task
  assert.equal(diff.value, {filesChanged: 0, insertions: 0, deletions: 0, untracked: 0})
})

test('a repository with a remote: the base is the remote HEAD, and the branch tracks nothing', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd, git} = await termic.project({origin: true})
  await git('commit', '-q', '--allow-empty', '-m', 'only here')
  const {task} = await termic.json(['new', 'fix'], {cwd})
  assert.is(task.base, 'origin/main')
  assert.is(await git('rev-parse', 'fix'), await git('rev-parse', 'origin/main'))
  assert.is(await git('for-each-ref', '--format=%(upstream)', 'refs/heads/fix'), '')
})

test('--base names where to start, and what names no commit is refused before anything is made', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd, git} = await termic.project({commits: 3})
  await termic.json(['new', 'old', '--base', 'HEAD~2'], {cwd})
  assert.is(await git('rev-parse', 'old'), await git('rev-parse', 'main~2'))
  const {exit, stderr} = await termic.run(['new', 'none', '--base', 'nowhere'], {cwd})
  assert.is(exit, 1)
  assert.match(stderr, /"nowhere" names no commit/)
  assert.is(await git('branch', '--list', 'none'), '')
})

test('a repository without a commit is refused with the command that makes one; after it, it works', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd, git} = await termic.project({commits: 0})
  const {exit, stdout, stderr} = await termic.run(['new', 'fix'], {cwd})
  assert.is(exit, 1)
  assert.is(stdout, '')
  assert.match(stderr, /has no commit yet.*git commit --allow-empty/)
  assert.equal((await termic.json(['list'])).tasks, [])
  await git('commit', '-q', '--allow-empty', '-m', 'start')
  await termic.json(['new', 'fix'], {cwd})
})

test('a detached HEAD works, and so do a bare repository and a linked worktree', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd, git} = await termic.project({commits: 2})
  await git('checkout', '-q', '--detach', 'HEAD~1')
  await git('branch', '-q', '-D', 'main')
  const {task} = await termic.json(['new', 'detached'], {cwd})
  assert.is(await git('rev-parse', 'detached'), await git('rev-parse', 'HEAD'))
  assert.match(task.base, /^[0-9a-f]{40}$/)

  const bare = join(termic.place, 'bare.git')
  await git('clone', '-q', '--bare', cwd, bare)
  await termic.json(['project', 'add', bare])
  await termic.json(['new', 'in-bare', '--base', 'detached'], {cwd: bare})

  const linked = join(termic.place, 'linked')
  await git('worktree', 'add', '-q', '-b', 'linked', linked)
  const other = await termic.json(['new', 'from-linked'], {cwd: linked})
  assert.is(other.task.project, task.project)
})

test('spaces and a newline in the path of the repository and of the tasks are no matter', async () => {
  await using termic = new PrivateTermic()
  await termic.run(['config', 'set', 'tasksPath', join(termic.place, 'my tasks')])
  const {path: cwd} = await termic.project({path: 'a shop\nof mine'})
  const {task, wait} = await termic.json(['new', 'fix', '-p', 'echo x > "a b"', '--wait'], {cwd})
  assert.is(wait.outcome, 'done')
  const {untracked} = await termic.json(['diff', 'fix'])
  assert.is(untracked, 1)
  assert.ok(task.path.startsWith(join(termic.place, 'my tasks')))
})

test('an agent that switches branch, deletes it or commits is seen as it is', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd} = await termic.project()
  const {task} = await termic.json(
    ['new', 'fix', '-p', 'git switch -q -c other && git branch -D fix', '--wait'],
    {cwd},
  )
  const {head, diff} = (await termic.json(['status', 'fix'])).task
  assert.is(head.branch, 'other')
  assert.is(diff.value.filesChanged, 0)
  const worktree = repositoryAt(task.path, termic.env)
  worktree.write('new.txt', 'one\ntwo\n')
  await worktree.commit('Add a file')
  const change = await termic.json(['diff', 'fix'])
  assert.equal(
    change.commits.map((one: {subject: string}) => one.subject),
    ['Add a file'],
  )
  assert.is(change.insertions, 2)
  await termic.json(['archive', 'fix', '--yes'])
})

test('fix/a-b and fix-a/b have directories of their own; a ref in the way is a sentence', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd, git} = await termic.project()
  const one = await termic.json(['new', 'fix/a-b'], {cwd})
  const two = await termic.json(['new', 'fix-a/b'], {cwd})
  assert.is(one.task.branch, 'fix/a-b')
  assert.is.not(one.task.path, two.task.path)
  const {exit, stderr} = await termic.run(['new', 'fix'], {cwd})
  assert.is(exit, 1)
  assert.match(stderr, /branch fix cannot be made, since branch fix\/a-b exists/)
  assert.is(await git('branch', '--list', 'fix'), '')
  const clash = await termic.run(['new', 'FIX/A-B'], {cwd})
  assert.match(clash.stderr, /exists already/)
})

test('env shows what the programs of a task were given, with no value of the shell’s own termic', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd} = await termic.project()
  const env = {SEEN: 'yes', TERMIC_TASK: 'foreign', TERMIC_MCP_TOKEN: 'secret', TERMIC_PANE: '%99'}
  await termic.json(['new', 'fix'], {cwd, env})
  const {captured, added} = await termic.json(['env', 'fix'])
  assert.is(captured.SEEN, 'yes')
  assert.equal(
    Object.keys(captured).filter(name => name.startsWith('TERMIC_')),
    [],
  )
  assert.is(added.TERMIC_TASK, 'fix')
  const {stdout} = await termic.run(['env', 'fix'])
  assert.match(stdout, /^SEEN=yes$/m)
  assert.not.match(stdout, /secret|foreign|%99/)
})

test.run()
