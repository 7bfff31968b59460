import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'

/** One story with every command in it, each once for a person and once for a program. */
interface Step {
  /** Where text and JSON need different words (a name that is taken, say), `json` has its own. */
  argv: string[]
  text: RegExp
  json?: string[]
  /** Looks at the answer; its shape is checked against the published schema before. */
  check: (answer: Json) => void
}

const termic = new PrivateTermic()
let cwd: string
let help: Json
let tasksPath: string
test.before(async () => {
  cwd = (await termic.repository({files: {'src/main.js': 'one\n'}})).path
  tasksPath = join(termic.home, 'termic/tasks')
  help = await termic.json(['help'])
})
test.after(() => termic.close())

const story: Step[] = [
  {argv: ['version'], text: /^termic \d/, check: ({node}) => assert.match(node, /^\d+\./)},
  {
    argv: ['help', 'list'],
    text: /^list the tasks/,
    check: ({commands}) => assert.is(commands[0].name, 'list'),
  },
  {
    argv: ['daemon', 'status'],
    text: /^no daemon is running; any verb starts it\n {2}data +\/.*\n {2}log +\//,
    check: status => assert.equal([status.running, status.dataDir], [false, termic.dataDir]),
  },
  {
    argv: ['daemon', 'start'],
    text: /^termic \S+ runs as process \d+ since \d+ s\n {2}panes +0 live\n/,
    check: ({running, livePanes}) => assert.equal([running, livePanes], [true, 0]),
  },
  {
    argv: ['project', 'add', '--name', 'shop'],
    text: /^added project shop \(\/.*\/shop\)\n$/,
    check: ({project, added}) => assert.equal([project.name, project.root, added], ['shop', cwd, false]),
  },
  {
    argv: ['project', 'list'],
    text: /^NAME +TASKS +BASE +PATH\nshop +0 +- +\/.*\n$/,
    check: ({projects}) => assert.is(projects.length, 1),
  },
  {
    argv: ['config', 'set', 'agents.repl.command', '["cat", "-u"]'],
    text: /^agents\.repl\.command is now \["cat","-u"\]\n$/,
    check: ({setting}) => assert.equal([setting.value, setting.source], [['cat', '-u'], 'set']),
  },
  {
    argv: ['config', 'get', 'agents.repl.command'],
    text: /^\["cat","-u"\]\n$/,
    check: ({setting}) => assert.equal(setting.value, ['cat', '-u']),
  },
  {
    argv: ['config', 'list'],
    text: /^SETTING +VALUE +FROM +WHAT IT IS FOR\ncli\.enabled +true +default +\w/,
    check: ({settings}) => assert.ok(settings.some(({key}: Json) => key === 'agents.repl.command')),
  },
  {
    argv: ['agents'],
    text: /^ID +.*\nshell \* +.* osc \(exact\)/,
    check: ({agents}) =>
      assert.equal(
        agents.map(({id}: Json) => id),
        ['shell', 'sh', 'repl'],
      ),
  },
  {
    argv: ['config', 'unset', 'agents.repl.command'],
    text: /^agents\.repl\.command has its default again\n$/,
    check: ({wasSet}) => assert.is(wasSet, false),
  },
  {
    argv: ['new', 'one', '-p', 'echo two >> src/main.js', '--wait'],
    text: /^created shop\/one\n {2}agent +shell\n {2}branch +one \(from main\)\n {2}path +\/.*\n {2}id +\w+\nthe agent has finished, exit code 0\n$/,
    json: ['new', 'two', '-p', 'exit 3', '--wait'],
    check({task, delivery, wait}) {
      assert.equal([task.name, task.branch, task.path], ['two', 'two', join(tasksPath, 'shop/two')])
      assert.equal([delivery.state, delivery.exitCode, wait.outcome], ['settled', 3, 'done'])
    },
  },
  {
    argv: ['list', '--fresh'],
    text: /^PROJECT +TASK +.*\nshop +one +shell +done +1f \+1 -0 +one\nshop +two +shell +exited \(3\) +- +two\n$/,
    check: ({tasks}) =>
      assert.equal(tasks[0].diff.value, {filesChanged: 1, insertions: 1, deletions: 0, untracked: 0}),
  },
  {
    argv: ['status', 'one'],
    text: /^name +one\nproject +shop\nagent +shell\nstate +done\nevidence +the shell is at its prompt \(osc, exact, /,
    check({task}) {
      assert.equal([task.state.name, task.state.confidence, task.dirty.changed], ['done', 'exact', 1])
      assert.is(task.tabs[0].panes[0].kind, 'agent')
    },
  },
  {
    argv: ['path', 'one'],
    text: /^\/.*\/termic\/tasks\/shop\/one\n$/,
    check: ({path}) => assert.match(path, /one$/),
  },
  {
    argv: ['send', 'one', '-p', 'echo hi'],
    text: /^[^\n]+\n$/,
    check: ({delivery, capable}) => assert.equal([delivery.attempt, capable], [1, true]),
  },
  {
    argv: ['wait', 'one'],
    text: /^the agent has finished, exit code 0\n$/,
    check: ({outcomes}) => assert.equal([outcomes[0].task, outcomes[0].outcome], ['one', 'done']),
  },
  {
    argv: ['log', 'one', '-n', '3'],
    text: /^(.*\n)*hi\n.*\n$/,
    check: ({text, eof, pane}) => assert.equal([/\nhi\n/.test(text), eof, pane], [true, false, '%1']),
  },
  {
    argv: ['diff', 'one'],
    text: /src\/main\.js/,
    check: ({files, filesChanged}) => assert.equal([files[0].path, filesChanged], ['src/main.js', 1]),
  },
  {
    argv: ['env', 'one'],
    text: /^(.*\n)*TERMIC_TASK=one\n/,
    check: ({added}) => assert.is(added.TERMIC_TASK, 'one'),
  },
  {
    argv: ['whoami'],
    text: /^cli, in no task\nmay do: everything/,
    check: ({by, scope}) => assert.equal([by, scope], ['cli', 'full']),
  },
  {
    argv: ['archive', 'two', '--yes'],
    text: /^archived shop\/two \(no terminal was live\); branch two is kept\n$/,
    json: ['archive', 'three', '--yes'],
    check: ({name, endedPanes, remainingProcesses}) =>
      assert.equal([name, endedPanes, remainingProcesses], ['three', 1, 0]),
  },
  {
    argv: ['project', 'remove', 'first', '--yes'],
    text: /^forgot project first; \/.* was not touched\n$/,
    json: ['project', 'remove', 'second', '--yes'],
    check: ({name}) => assert.is(name, 'second'),
  },
  {
    argv: ['daemon', 'restart'],
    text: /^termic \S+ runs as process \d+ since 0 s\n {2}panes +1 live\n/,
    check: ({livePanes}) => assert.is(livePanes, 1),
  },
  {
    argv: ['daemon', 'stop'],
    text: /^the daemon has stopped; agents go on, and the next command starts it again\n$/,
    check: ({running, stopped}) => assert.equal([running, stopped], [false, false]),
  },
  {
    argv: ['quit', '--yes'],
    text: /^the daemon and 1 terminal ended; tasks and their worktrees are kept\n$/,
    check: ({running, panes}) => assert.equal([running, panes], [false, 0]),
  },
]

/** What a step needs and is not worth a step. */
const preparations: Record<string, () => Promise<unknown>> = {
  archive: () => termic.json(['new', 'three'], {cwd}),
  async 'project remove'() {
    for (const path of ['first', 'second']) await termic.project({path})
  },
}

function commandOf(argv: readonly string[]): Json {
  const words = [argv.slice(0, 2).join(' '), argv[0]]
  return help.commands.find(({name}: Json) => words.includes(name))
}

for (const {argv, text, json = argv, check} of story) {
  test(`termic ${argv.join(' ')}`, async () => {
    const command = commandOf(argv)
    await preparations[command.name]?.()
    const forPeople = await termic.run(argv, {cwd})
    assert.equal([forPeople.exit, forPeople.stderr], [0, ''])
    assert.match(forPeople.stdout, text)

    const {exit, stdout, stderr} = await termic.run([...json, '--json'], {cwd})
    assert.equal([exit, stderr], [0, ''])
    assert.is(stdout.indexOf('\n'), stdout.length - 1, 'one line')
    const answer = JSON.parse(stdout)
    if (command.result) fits(command.result, answer)
    check(answer)
  })
}

test('no command is missing in this story', () => {
  const told = new Set(story.map(({argv}) => commandOf(argv).name))
  // Never ends by itself; watching.test.ts has it.
  told.add('events')
  const missing = help.commands.map(({name}: Json) => name).filter((name: string) => !told.has(name))
  assert.equal(missing, [])
})

function fits(schema: Json, answer: Json): void {
  const {success, error} = z.fromJSONSchema(schema).safeParse(answer)
  assert.ok(success, error?.message)
  const unknown = Object.keys(answer).filter(key => !(key in schema.properties))
  assert.equal(unknown, [], 'fields that no schema names')
}

test.run()
