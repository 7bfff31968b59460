import * as Parser from '@oclif/core/parser'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {
  choice,
  duration,
  freeText,
  integer,
  path,
  projectArg,
  projectFlag,
  roleOf,
  taskArg,
  tasksArg,
  text,
  textArg,
  toggle,
} from '../../src/core/flags.ts'

type Flags = Parameters<typeof Parser.parse>[1]['flags']

async function parsed(flags: object, ...argv: string[]): Promise<Record<string, unknown>> {
  return {...(await Parser.parse(argv, {flags: flags as Flags, strict: true})).flags}
}

async function refusal(flags: object, ...argv: string[]): Promise<string> {
  const outcome: unknown = await parsed(flags, ...argv).catch((error: unknown) => error)
  assert.instance(outcome, Error)
  return (outcome as Error).message
}

test('each factory makes an ordinary flag of oclif', async () => {
  const flags = {
    label: text({summary: 'label', char: 'l'}),
    timeout: duration({summary: 'timeout', key: 'timeoutMs'}),
    lines: integer({summary: 'lines', min: 1, max: 5}),
    state: choice({summary: 'state', options: ['idle', 'done']}),
    wait: toggle({summary: 'wait'}),
    file: path({summary: 'file'}),
    project: projectFlag(),
  }
  assert.equal(
    await parsed(
      ...[flags, '-l', 'a b', '--timeout', '1m', '--lines=4', '--state', 'done', '--wait', '--file', 'x'],
      ...['--project', 'shop'],
    ),
    {label: 'a b', timeout: 60_000, lines: 4, state: 'done', wait: true, file: 'x', project: 'shop'},
  )
})

test('a value that does not fit is told by the parser', async () => {
  assert.match(
    await refusal({n: integer({summary: '', min: 0, max: 1})}, '--n', '1e3'),
    /--n: "1e3" is not a whole/,
  )
  assert.match(
    await refusal({t: duration({summary: '', key: 't'})}, '--t', 'soon'),
    /--t: "soon" is not a duration/,
  )
  assert.match(await refusal({s: choice({summary: '', options: ['a']})}, '--s', 'b'), /to be one of: a/)
})

test('what each carries for dispatcher and presentations', () => {
  assert.is(roleOf(freeText({summary: ''})).role, 'freeText')
  assert.is(roleOf(toggle({summary: '', cliOnly: true})).role, 'cliOnly')
  assert.is(roleOf(toggle({summary: ''})).role, undefined)
  assert.is(roleOf(path({summary: ''})).role, 'path')
  const deadline = roleOf(duration({summary: '', key: 'timeoutMs', role: 'deadline'}))
  assert.equal([deadline.role, deadline.key], ['deadline', 'timeoutMs'])
  assert.is(roleOf(integer({summary: '', min: 0, max: 1, role: 'page'})).role, 'page')
  assert.equal(roleOf({}), {})
})

test('targets say what they are and whether the directory may stand for them', () => {
  assert.equal(roleOf(taskArg({access: 'act'})).target, {kind: 'task', access: 'act', fallback: 'cwd'})
  assert.is(roleOf(taskArg({access: 'act', explicit: true})).target?.fallback, undefined)
  assert.equal(roleOf(tasksArg({access: 'see'})).target, {kind: 'task', access: 'see', fallback: 'cwd'})
  assert.equal(roleOf(projectArg({access: 'act'})).target, {kind: 'project', access: 'act'})
  assert.equal(roleOf(projectFlag()).target, {kind: 'project', access: 'see'})
})

test('an argument is required where it was said to be', () => {
  const required = (arg: object) => (arg as {required?: boolean}).required
  assert.is(required(taskArg({access: 'see'})), false)
  assert.is(required(taskArg({access: 'see', explicit: true})), true)
  assert.is(required(projectArg({access: 'see'})), true)
  assert.is(required(textArg('x')), false)
  assert.is(required(textArg('x', {required: true})), true)
})

// oclif reads an argument that is missing from stdin: `echo x | termic archive` archived x.
test('no argument is ever read from stdin', () => {
  for (const arg of [
    taskArg({access: 'see'}),
    tasksArg({access: 'see'}),
    projectArg({access: 'see'}),
    textArg('x'),
  ])
    assert.is((arg as {ignoreStdin?: boolean}).ignoreStdin, true)
})

test.run()
