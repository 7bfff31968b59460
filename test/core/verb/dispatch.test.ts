import {test} from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import {TermicError} from '../../../src/core/errors.ts'
import {path, projectFlag, taskArg, tasksArg} from '../../../src/core/flags.ts'
import {fullGrant, type Grant} from '../../../src/core/grant/grant.ts'
import type {LoadedVerb} from '../../../src/core/registry/loaded-verb.ts'
import type {Project, Task} from '../../../src/core/task/types.ts'
import type {Caller} from '../../../src/core/verb/caller.ts'
import type {Input} from '../../../src/core/verb/check-input.ts'
import {type Answer, dispatch} from '../../../src/core/verb/dispatch.ts'
import type {Context} from '../../../src/core/verb/verb.ts'
import {newCore} from '../../fixtures/new-core.ts'
import {sampleVerb} from '../../fixtures/sample-verb.ts'
import {addProject, addTask} from '../../fixtures/store-samples.ts'

const {core, store, close} = await newCore()
test.after(close)
const shop = addProject(store, 'shop')
const blog = addProject(store, 'blog')
const own = addTask(store, 'own', shop).task
const sister = addTask(store, 'sister', shop).task
const foreign = addTask(store, 'foreign', blog).task

const full = {by: 'cli', grant: fullGrant}
const scoped: Caller & {grant: Grant} = {
  by: `task:${own.id}`,
  grant: {scope: 'scoped', projects: [shop.id], taskId: own.id},
}

/** What the last handler was given; undefined when none ran. */
let seen: Input | undefined
test.before.each(() => {
  seen = undefined
})

function gotten<T>(name: string): T {
  assert.ok(seen, 'the handler did not run')
  return seen[name] as T
}

const anything = z.looseObject({})
const handle = async (_: Context, input: Input) => {
  seen = input
  return {}
}

function verbWith(statics: object): LoadedVerb {
  return sampleVerb({scope: 'scoped', result: anything, handle, ...statics})
}

function call(verb: LoadedVerb, input: Input = {}, caller: Caller = full): Promise<Answer> {
  const never = () => assert.unreachable()
  return dispatch({
    ...{verb, input, caller, core, signal: new AbortController().signal},
    ...{emit: async () => never(), confirm: async () => never()},
  })
}

async function refusal(work: Promise<unknown>): Promise<TermicError> {
  const error = await work.then(
    () => assert.unreachable(),
    (error: unknown) => error,
  )
  if (!(error instanceof TermicError)) throw error
  assert.is(seen, undefined, 'the handler ran')
  return error
}

const see = verbWith({args: {task: taskArg({access: 'see'})}, flags: {project: projectFlag()}})
const act = verbWith({args: {task: taskArg({access: 'act'})}})
const several = verbWith({args: {tasks: tasksArg({access: 'act'})}})

test('a verb of full scope is closed to a scoped token', async () => {
  const verb = verbWith({scope: 'full'})
  assert.is((await refusal(call(verb, {}, scoped))).code, 'auth.scope')
  assert.equal((await call(verb)).result, {})
})

test('a verb that says nothing of its scope needs a full one', async () => {
  const verb = sampleVerb({result: anything, handle})
  assert.is((await refusal(call(verb, {}, scoped))).code, 'auth.scope')
})

test('the handler gets the task itself, whichever way it was named', async () => {
  for (const name of ['own', 'OWN', own.id, 'shop/own']) {
    await call(see, {task: name})
    assert.is(gotten<Task>('task').id, own.id)
  }
})

test('a scoped token sees its own task and acts on those of its projects', async () => {
  await call(see, {task: 'own'}, scoped)
  assert.is(gotten<Task>('task').id, own.id)
  await call(act, {task: 'sister'}, scoped)
  assert.is(gotten<Task>('task').id, sister.id)
})

test('what a grant does not reach is not found before the handler runs, as if it were not there', async () => {
  const out = await refusal(call(act, {task: 'foreign'}, scoped))
  const absent = await refusal(call(act, {task: 'nowhere'}, scoped))
  assert.is(out.code, 'task.not-found')
  assert.is(out.message.replace('foreign', 'nowhere'), absent.message)
  for (const task of [foreign.id, 'blog/foreign'])
    assert.is((await refusal(call(act, {task}, scoped))).code, 'task.not-found')
  assert.is((await refusal(call(see, {task: 'sister'}, scoped))).code, 'task.not-found')
  assert.is((await refusal(call(several, {tasks: ['own', 'foreign']}, scoped))).code, 'task.not-found')
  assert.is((await refusal(call(see, {task: 'own', project: 'blog'}, scoped))).code, 'project.not-found')
})

test('the handler of a scoped caller has a core where foreign things do not exist', async () => {
  let found: unknown
  const verb = verbWith({
    async handle({core}: Context) {
      found = [core.tasks.list().map(({name}) => name), core.projects.list().map(({name}) => name)]
      return {}
    },
  })
  await call(verb, {}, scoped)
  assert.equal(found, [['own'], ['shop']])
})

test('a name that two projects have is ambiguous, and --project or project/name decides', async () => {
  const other = addTask(store, 'twin', blog).task
  addTask(store, 'Twin', addProject(store, 'third'))
  const error = await refusal(call(see, {task: 'twin'}))
  assert.is(error.code, 'task.ambiguous')
  assert.match(error.message, /blog\/twin, third\/Twin/)
  await call(see, {task: 'twin', project: 'blog'})
  assert.is(gotten<Task>('task').id, other.id)
  assert.is(gotten<Project>('project').id, blog.id)
  await call(see, {task: 'blog/twin'})
  assert.is(gotten<Task>('task').id, other.id)
})

test('several names of one task are one task', async () => {
  await call(several, {tasks: ['own', own.id, 'sister']})
  assert.equal(
    gotten<Task[]>('tasks').map(({id}) => id),
    [own.id, sister.id],
  )
})

test('without a name the task is the one of the directory, for those who have one', async () => {
  const shell = {cwd: `${own.path}/src/deep`, env: {}}
  await call(see, {}, {...full, shell})
  assert.is(gotten<Task>('task').id, own.id)
  await call(several, {}, {...full, shell})
  assert.equal(gotten<Task[]>('tasks').length, 1)
  seen = undefined
  const outside = {...full, shell: {cwd: `${own.path}x`, env: {}}}
  assert.is((await refusal(call(see, {}, outside))).code, 'task.required')
  assert.is((await refusal(call(see, {}))).code, 'usage.invalid')
})

test('a project alone names no task', async () => {
  const shell = {cwd: own.path, env: {}}
  const error = await refusal(call(see, {project: 'shop'}, {...full, shell}))
  assert.is(error.code, 'usage.invalid')
})

test('a path is taken from the directory of a shell, and must be absolute without one', async () => {
  const verb = verbWith({flags: {file: path({summary: 'file'})}})
  await call(verb, {file: '../a/./b'}, {...full, shell: {cwd: '/x/y', env: {}}})
  assert.is(seen?.file, '/x/a/b')
  await call(verb, {file: '/a b'})
  assert.is(seen?.file, '/a b')
  seen = undefined
  assert.match((await refusal(call(verb, {file: 'a'}))).message, /^"file" must be an absolute path/)
})

test('the result is what its schema names, and its exit code is asked of the verb', async () => {
  const verb = verbWith({
    result: z.object({kept: z.number()}),
    handle: async () => ({kept: 1, inner: 2}),
    exit: ({kept}: {kept: number}) => 6 + kept,
  })
  const {result, exit} = await call(verb)
  assert.equal(result, {kept: 1})
  assert.is(exit, 7)
})

test('a result that its schema does not know is a fault of ours, naming the verb and the place', async () => {
  const verb = verbWith({result: z.object({kept: z.number()}), handle: async () => ({kept: 'one'})})
  const error = await call(verb).catch((error: unknown) => error)
  assert.not(error instanceof TermicError)
  assert.match((error as Error).message, /^sample\.verb answered with .* kept /)
})

test('what a handler throws comes through as it is', async () => {
  const thrown = new TermicError('task.bad-name', {name: 'x', reason: 'y'})
  const verb = verbWith({
    async handle() {
      throw thrown
    },
  })
  assert.is(await call(verb).catch((error: unknown) => error), thrown)
})

test.run()
