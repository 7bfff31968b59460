import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'

const termic = new PrivateTermic()
let one: Json
test.before(async () => {
  await termic.project()
  one = (await termic.json(['new', 'one', '--project', 'shop'])).task
})
test.after(() => termic.close())

/** Runs a line in the shell of task one; answers what it wrote to `out`. */
async function inside(line: string): Promise<string> {
  const {wait} = await termic.json(['send', 'one', '--wait', '-p', `{ ${line}; } >out 2>&1`])
  const out = readFileSync(join(one.path, 'out'), 'utf8')
  assert.is(wait.exitCode, 0, out)
  return out
}

test('whoami tells the task and the pane one is in', async () => {
  const {by, task, pane, children} = JSON.parse(await inside('termic whoami --json'))
  assert.equal([by, task.name, task.id, pane, children], [`task:${one.id}`, 'one', one.id, '%1', []])
  assert.match(
    await inside('"$TERMIC_CLI" whoami'),
    new RegExp(`^task:${one.id}, in task shop/one, pane %1\n`),
  )
})

test('the task may be left out inside of it', async () => {
  assert.is(JSON.parse(await inside('termic status --json')).task.name, 'one')
  assert.is((await inside('mkdir -p deep && cd deep && termic path; cd ..')).trim(), one.path)
})

test('a task that is made inside of another one is its child', async () => {
  const {task} = JSON.parse(
    await inside(`termic new child -p 'echo "$TERMIC_TASK $TERMIC_PANE" >who' --wait --json`),
  )
  assert.equal([task.startedBy, task.parentId, task.project], [`task:${one.id}`, one.id, 'shop'])
  assert.match(readFileSync(join(task.path, 'who'), 'utf8'), /^child %\d+\n$/)
  const {children} = JSON.parse(await inside('termic whoami --json'))
  assert.equal(
    children.map(({name, project}: Json) => [name, project]),
    [['child', 'shop']],
  )
  assert.match(await inside('termic whoami'), /\ntasks made here:\n {2}shop\/child {2}done\n/)
})

test('a task can prompt and wait for another one', async () => {
  const out = await inside(
    `termic send child -p '(exit 4)' && termic wait child; termic log child -n 1 >/dev/null`,
  )
  assert.match(out, /the agent has finished, exit code 4/)
})

test.run()
