import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {paneEnvironment} from '../../src/core/environment.ts'

const surroundings = {
  captured: {PATH: '/bin', EDITOR: 'vi', TERMIC_TASK_ID: 'of another task', TERMIC_ANYTHING: 'x'},
  task: {id: 'k1', name: 'fix-login'},
  pane: '%7',
  paths: {root: '/data', socket: '/data/daemon.sock'},
  node: '/opt/node',
  cli: '/opt/termic/bin/termic',
}

test('variables that a pane sees', () => {
  const {TERMIC_CLI_HELP, ...env} = paneEnvironment(surroundings)
  assert.equal(env, {
    PATH: '/bin',
    EDITOR: 'vi',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'termic',
    TERMIC_DATA_DIR: '/data',
    TERMIC_SOCKET: '/data/daemon.sock',
    TERMIC_NODE: '/opt/node',
    TERMIC_TASK: 'fix-login',
    TERMIC_TASK_ID: 'k1',
    TERMIC_PANE: '%7',
    TERMIC_CLI: '/opt/termic/bin/termic',
  })
  assert.match(TERMIC_CLI_HELP ?? '', /^run "\$TERMIC_CLI" help: /)
})

test('the CLI is named only where it would answer', () => {
  const {cli: _, ...without} = surroundings
  const names = Object.keys(paneEnvironment(without)).filter(name => name.startsWith('TERMIC_CLI'))
  assert.equal(names, [])
})

test.run()
