import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type ErrorCode, errorTable} from '../../../src/core/errors.ts'
import {repositoryAt} from '../../fixtures/repository.ts'
import {checkout, PrivateTermic} from '../../fixtures/termic.ts'
import {agentProvocations} from './agent-provocations.ts'
import {daemonProvocations} from './daemon-provocations.ts'
import {inputProvocations} from './input-provocations.ts'
import type {Scene} from './provocation.ts'
import {taskProvocations} from './task-provocations.ts'
import {testedElsewhere, unreachable} from './tested-elsewhere.ts'

const provocations = {
  ...inputProvocations,
  ...taskProvocations,
  ...agentProvocations,
  ...daemonProvocations,
}
const termic = new PrivateTermic()
let scene: Scene
test.before(async () => {
  const shop = await termic.project()
  await termic.json(['new', 'one', '--project', 'shop'])
  const newTask = async (name: string) => {
    const {task} = await termic.json(['new', name, '--project', 'shop'])
    return repositoryAt(task.path, termic.env)
  }
  scene = {termic, shop, newTask}
})
test.after(() => termic.close())

for (const [code, provoke] of Object.entries(provocations)) {
  const {exit} = errorTable[code as ErrorCode]
  test(`${code} is one sentence and exit ${exit}, and one object in JSON`, async () => {
    const {argv, restore, ...options} = await provoke(scene)
    const forPeople = await termic.run(argv, options)
    const forPrograms = await termic.run([...argv, '--json'], options)
    await restore?.()

    assert.equal([forPeople.exit, forPeople.stdout], [exit, ''], forPeople.stderr)
    assert.match(forPeople.stderr, /^termic: [^\n]+\n$/)
    assert.not.match(forPeople.stderr, /undefined|null|\[object|\{\w+\}/)

    assert.equal([forPrograms.exit, forPrograms.stderr], [exit, ''], forPrograms.stdout)
    assert.is(forPrograms.stdout.indexOf('\n'), forPrograms.stdout.length - 1)
    const {error, ...rest} = JSON.parse(forPrograms.stdout)
    assert.is(error.code, code)
    assert.is(`termic: ${error.message}\n`, forPeople.stderr)
    assert.equal(rest, {})
  })
}

test('every code of the table is provoked here, or in a test that is named, or has its reason', () => {
  const places = [provocations, testedElsewhere, unreachable].flatMap(place => Object.keys(place))
  assert.equal(places.sort(), Object.keys(errorTable).sort())
})

test('the tests that are named do have the other codes', () => {
  const wrong = Object.entries(testedElsewhere).filter(
    ([, [file, words]]) => !readFileSync(join(checkout, 'test', file), 'utf8').includes(words),
  )
  assert.equal(wrong, [])
})

test.run()
