import {test} from 'uvu'
import * as assert from 'uvu/assert'
import * as commands from '../../../src/core/store/commands-table.ts'
import * as deliveries from '../../../src/core/store/deliveries-table.ts'
import * as panes from '../../../src/core/store/panes-table.ts'
import * as projects from '../../../src/core/store/projects-table.ts'
import type {Store} from '../../../src/core/store/store.ts'
import {isUniqueViolation} from '../../../src/core/store/store-error.ts'
import * as tabs from '../../../src/core/store/tabs-table.ts'
import * as tasks from '../../../src/core/store/tasks-table.ts'
import {addProject, addTask, idleState, newStore, sampleTask} from '../../fixtures/store-samples.ts'
import * as schemas from './row-schemas.ts'

const names = (list: readonly {name: string}[]) => list.map(({name}) => name)
const ids = (list: readonly {id: string | number}[]) => list.map(({id}) => id)

function queue(store: Store, id: string, pane: panes.PaneRow, text = `run ${id}`) {
  return deliveries.insertDelivery(store, {
    id,
    taskId: pane.taskId,
    pane: pane.id,
    text,
    createdBy: 'cli',
    createdAt: 10,
  })
}

test('every row is what its type says, sparse and full', () => {
  const store = newStore()
  const {task, pane} = addTask(store, 'one')
  schemas.project.parse(projects.projectById(store, task.projectId))
  projects.updateProject(store, task.projectId, {base: 'main', tasksPath: '/elsewhere'})
  assert.is(schemas.project.parse(projects.projectById(store, task.projectId)).tasksPath, '/elsewhere')

  schemas.task.parse(tasks.taskById(store, task.id))
  const child = {...sampleTask(addProject(store, 'other'), 'child'), parentId: task.id}
  tasks.insertTask(store, child)
  tasks.setTaskLife(store, child.id, 'archived', 99)
  assert.is(schemas.task.parse(tasks.taskById(store, child.id)).archivedAt, 99)
  schemas.tab.parse(tabs.defaultTab(store, task.id))

  schemas.pane.parse(pane)
  const exited = {code: 143, signal: 'SIGTERM', at: 8, offset: 100}
  panes.updatePane(store, pane.id, {
    exited,
    lostAt: 9,
    closedAt: 10,
    readerState: {depth: [1]},
    journalSeq: 3,
    argv: ['x'],
  })
  const read = schemas.pane.parse(panes.paneById(store, pane.id))
  assert.equal([read.exited, read.readerState, read.argv], [exited, {depth: [1]}, ['x']])

  schemas.delivery.parse(queue(store, 'd1', pane))
  const facts = {reason: 'rejected', detail: 'line 1', exitCode: 2, confirmed: 'exact', attempt: 2} as const
  deliveries.updateDelivery(store, 'd1', {progress: {writing: true, eaten: 1}})
  deliveries.updateDelivery(store, 'd1', {
    ...facts,
    state: 'failed',
    writtenAt: 1,
    submittedAt: 2,
    startedAt: 3,
    settledAt: 4,
  })
  const {text, createdBy, ...delivery} = deliveries.deliveryById(store, 'd1') as deliveries.DeliveryRow
  assert.equal([text, createdBy, schemas.delivery.parse(delivery).reason], ['run d1', 'cli', 'rejected'])
  assert.equal(delivery.progress, {writing: true, eaten: 1})

  const command = {pane: pane.id, deliveryId: 'd1', command: 'make', cwd: '/x', startedAt: 1, startOffset: 10}
  const {id} = commands.insertCommand(store, command)
  schemas.command.parse(commands.commandById(store, id))
  commands.endCommand(store, id, {exitCode: 2, endedAt: 5, endOffset: 20})
  assert.equal(schemas.command.parse(commands.commandById(store, id)), {
    ...command,
    id,
    exitCode: 2,
    endedAt: 5,
    endOffset: 20,
  })
})

test('a project is found by id, name and root until it is removed', () => {
  const store = newStore()
  const {id, root} = addProject(store)
  assert.equal(
    [projects.projectByNameKey(store, 'shop')?.id, projects.projectByRoot(store, root)?.id],
    [id, id],
  )
  assert.equal(projects.projectByGitDir(store, `${root}/.git`)?.id, id)
  assert.ok(projects.removeProject(store, id, 5))
  assert.not(projects.removeProject(store, id, 6))
  assert.equal(
    [projects.projectByNameKey(store, 'shop'), projects.projectByRoot(store, root)],
    [undefined, undefined],
  )
  assert.equal(projects.allProjects(store), [])
})

test('a removed project that is added again has its archived tasks again', () => {
  const store = newStore()
  const {task} = addTask(store, 'old')
  tasks.setTaskLife(store, task.id, 'archived', 5)
  projects.removeProject(store, task.projectId, 6)
  assert.is(tasks.taskById(store, task.id)?.project, 'shop')
  const again = {
    id: 'fresh',
    name: 'Store',
    nameKey: 'store',
    root: '/src/shop',
    gitDir: '/src/shop/.git',
    createdAt: 7,
  }
  assert.is(projects.insertProject(store, again).id, task.projectId)
  assert.is(tasks.taskById(store, task.id)?.project, 'Store')
})

test('two projects never share a name or a root', () => {
  const store = newStore()
  const shop = addProject(store)
  assert.throws(() => projects.insertProject(store, {...shop, id: 'b', nameKey: 'b'}), /is taken/)
  assert.throws(
    () => projects.insertProject(store, {...shop, id: 'b', nameKey: 'shop', root: '/b'}),
    isUniqueViolation,
  )
})

test('a live name is taken once per project, an archived one is free again', () => {
  const store = newStore()
  const {task} = addTask(store, 'fix')
  const project = projects.projectById(store, task.projectId)
  assert.ok(project)
  const again = {...sampleTask(project, 'FIX'), id: 'second', path: '/second'}
  assert.throws(() => tasks.insertTask(store, again), isUniqueViolation)
  tasks.insertTask(store, {...sampleTask(addProject(store, 'other'), 'fix'), id: 'third'})
  assert.equal(ids(tasks.liveTasksByNameKey(store, 'fix')), [task.id, 'third'])
  tasks.setTaskLife(store, task.id, 'archived', 5)
  tasks.insertTask(store, again)
  assert.is(tasks.liveTaskByNameKey(store, project.id, 'fix')?.id, 'second')
})

test('two live tasks never share a directory', () => {
  const store = newStore()
  const project = addProject(store)
  const {id, path} = tasks.insertTask(store, sampleTask(project, 'a'))
  assert.throws(() => tasks.insertTask(store, {...sampleTask(project, 'b'), path}), isUniqueViolation)
  assert.is(tasks.liveTaskByPath(store, path)?.id, id)
})

test('tasks are listed oldest first and by their life', () => {
  const store = newStore()
  const project = addProject(store)
  for (const [name, life] of [
    ['a', 'creating'],
    ['b', 'live'],
    ['c', 'archiving'],
    ['d', 'archived'],
  ] as const) {
    tasks.insertTask(store, {...sampleTask(project, name), life})
  }
  assert.equal(names(tasks.allLiveTasks(store)), ['a', 'b', 'c'])
  assert.equal(names(tasks.liveTasksOfProject(store, project.id)), ['a', 'b', 'c'])
  assert.equal(names(tasks.tasksByLife(store, 'creating')), ['a'])
  assert.equal(names(tasks.tasksByLife(store, 'archived')), ['d'])
})

test('a task takes what creation finds out, keeps its environment, and can be renamed', () => {
  const store = newStore()
  const {task} = addTask(store, 'one')
  assert.ok(
    tasks.updateTask(store, task.id, {
      branch: 'one-2',
      branchCreated: false,
      baseRef: 'refs/heads/x',
      baseCommit: 'beef',
      gitDir: '/g',
    }),
  )
  assert.ok(tasks.renameTask(store, task.id, 'Zwei', 'zwei'))
  const {name, branch, branchCreated, baseRef, baseCommit, gitDir, base} =
    tasks.taskById(store, task.id) ?? task
  assert.equal(
    [name, branch, branchCreated, baseRef, baseCommit, gitDir],
    ['Zwei', 'one-2', false, 'refs/heads/x', 'beef', '/g'],
  )
  assert.is(base, 'origin/main')
  assert.equal(tasks.taskEnv(store, task.id), {PATH: '/bin'})
  assert.not(tasks.updateTask(store, 'absent', {branch: 'x'}))
  assert.not(tasks.updateTask(store, 'absent', {}))
})

test('only a task that never came to be is taken back, with all that hangs on it', () => {
  const store = newStore()
  const {task, pane} = addTask(store, 'one')
  queue(store, 'd1', pane)
  assert.not(tasks.removeCreatingTask(store, task.id))
  tasks.setTaskLife(store, task.id, 'creating')
  assert.ok(tasks.removeCreatingTask(store, task.id))
  assert.equal(
    [tasks.allLiveTasks(store), panes.runningPanes(store), deliveries.allOpenDeliveries(store)],
    [[], [], []],
  )
})

test('tabs keep their order, and a task has one default tab', () => {
  const store = newStore()
  const {task} = addTask(store, 'one')
  for (const id of ['t2', 't3', 't4']) {
    tabs.insertTab(store, {id, taskId: task.id, title: id, isDefault: false, createdAt: 5})
  }
  assert.ok(tabs.closeTab(store, 't3', 6))
  assert.ok(tabs.renameTab(store, 't4', 'last'))
  assert.equal(
    tabs.tabsOfTask(store, task.id).map(({title}) => title),
    ['agent', 't2', 'last'],
  )
  const second = {id: 't5', taskId: task.id, title: 'x', isDefault: true, createdAt: 7}
  assert.throws(() => tabs.insertTab(store, second), isUniqueViolation)
})

test('a pane number is never used twice', () => {
  const store = newStore()
  const {task, pane} = addTask(store, 'one')
  tasks.setTaskLife(store, task.id, 'creating')
  tasks.removeCreatingTask(store, task.id)
  assert.is(addTask(store, 'two', projects.projectById(store, task.projectId)).pane.id, pane.id + 1)
})

test('panes that run are those that neither exited nor were lost', () => {
  const store = newStore()
  const {task, pane} = addTask(store, 'one')
  const more = () => panes.insertPane(store, {...pane, kind: 'shell', agent: undefined})
  const [gone, lost, closed] = [more(), more(), more()]
  panes.updatePane(store, gone.id, {exited: {code: 0, at: 1, offset: 0}})
  panes.updatePane(store, lost.id, {lostAt: 5, state: {...idleState, name: 'lost'}})
  panes.updatePane(store, closed.id, {exited: {code: 0, at: 1, offset: 0}, closedAt: 5})
  assert.equal(ids(panes.runningPanes(store)), [pane.id])
  assert.equal(ids(panes.panesOfTask(store, task.id)), [pane.id, gone.id, lost.id])
  assert.equal(ids(panes.panesOfTab(store, pane.tabId)), [pane.id, gone.id, lost.id])
})

test('a queue is first in, first out, and holds what is open', () => {
  const store = newStore()
  const {task, pane} = addTask(store, 'one')
  const other = panes.insertPane(store, pane)
  for (const id of ['z', 'y', 'x', 'w']) queue(store, id, pane)
  queue(store, 'elsewhere', other)
  deliveries.updateDelivery(store, 'z', {state: 'settled'})
  deliveries.updateDelivery(store, 'x', {state: 'failed', reason: 'cancelled'})
  assert.equal(ids(deliveries.openDeliveriesOfPane(store, pane.id)), ['y', 'w'])
  assert.equal(ids(deliveries.openDeliveriesOfTask(store, task.id)), ['y', 'w', 'elsewhere'])
  assert.equal(ids(deliveries.allOpenDeliveries(store)), ['y', 'w', 'elsewhere'])
  assert.equal(ids(deliveries.deliveriesOfTask(store, task.id, 2)), ['elsewhere', 'w'])
  assert.is(deliveries.lastDeliveryOfPane(store, pane.id)?.id, 'w')
})

test('a prompt comes back byte for byte, and its id is used once', () => {
  const store = newStore()
  const {pane} = addTask(store, 'one')
  const text = `-p --help\n\t"'$(x)\\ \u{1F9EA}é\r\n${'x'.repeat(1024 * 1024)}`
  queue(store, 'd1', pane, text)
  assert.ok(deliveries.deliveryById(store, 'd1')?.text === text)
  assert.throws(() => queue(store, 'd1', pane), isUniqueViolation)
})

test('a patch can take a value away', () => {
  const store = newStore()
  const {pane} = addTask(store, 'one')
  queue(store, 'd1', pane)
  deliveries.updateDelivery(store, 'd1', {writtenAt: 5, state: 'written'})
  deliveries.updateDelivery(store, 'd1', {writtenAt: undefined, state: 'queued', attempt: 2})
  const {state, attempt, writtenAt} = deliveries.deliveryById(store, 'd1') ?? {}
  assert.equal([state, attempt, writtenAt], ['queued', 2, undefined])
})

test('commands are found by pane, newest first, and by the prompt that ran them', () => {
  const store = newStore()
  const {pane} = addTask(store, 'one')
  queue(store, 'd1', pane)
  for (const [command, deliveryId] of [
    ['a', 'd1'],
    ['b', 'd1'],
    ['c', undefined],
  ] as const) {
    commands.insertCommand(store, {pane: pane.id, command, deliveryId, startedAt: 1, startOffset: 0})
  }
  assert.equal(
    commands.commandsOfPane(store, pane.id, 2).map(({command}) => command),
    ['c', 'b'],
  )
  assert.equal(
    commands.commandsOfDelivery(store, 'd1').map(({command}) => command),
    ['a', 'b'],
  )
  assert.is(commands.lastCommandOfPane(store, pane.id)?.command, 'c')
})

test.run()
