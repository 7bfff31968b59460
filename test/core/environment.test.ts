import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {
  capturedFrom,
  isReserved,
  paneEnvironment,
  stripCaptured,
  stripOwn,
} from '../../src/core/environment.ts'

test('every variable that termic sets is reserved', () => {
  const env = paneEnvironment({
    ...{
      captured: {},
      task: {id: 't1', name: 'fix'},
      pane: '%7',
      paths: {root: '/data', socket: '/data/daemon.sock'},
    },
    ...{node: '/node', cli: '/termic'},
  })
  assert.equal(
    Object.keys(env).filter(name => !isReserved(name)),
    [],
  )
})

test('reserved are names that steer how programs load, trust or find things, in either case where both are obeyed', () => {
  for (const name of [
    ...[
      'TERMIC_MCP_TOKEN',
      'TERMIC_PORT_WEB',
      'TERMIC_SANDBOX',
      'CONDUCTOR_PORT',
      'PORT',
      'PATH',
      'HOME',
      'TERM',
    ],
    ...[
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'BASH_ENV',
    ],
    ...[
      'http_proxy',
      'HTTPS_PROXY',
      'no_proxy',
      'npm_config_registry',
      'GIT_SSH_COMMAND',
      'PYTHONPATH',
      'PERL5OPT',
    ],
    ...[
      'LC_ALL',
      'XDG_DATA_HOME',
      'SSL_CERT_FILE',
      'IFS',
      'ANTHROPIC_BASE_URL',
      'CODEX_HOME',
      'BASH_FUNC_ls%%',
    ],
  ]) {
    assert.ok(isReserved(name), name)
  }
  for (const name of ['API_PORT', 'WEB', 'DATABASE_URL', 'MY_TERMIC', 'PORT_WEB', 'PATHS'])
    assert.not(isReserved(name), name)
})

test('a captured environment carries nothing of the task, the terminal or the agent it was taken from', () => {
  const kept = {PATH: '/bin', HOME: '/h', LANG: 'C.UTF-8', EDITOR: 'vi', SSH_AUTH_SOCK: '/s', KEY: 'a=b'}
  const gone = {
    ...{
      TERMIC_TASK: 'x',
      TERMIC_MCP_TOKEN: 'secret',
      TERM: 'screen',
      TMUX: '/t',
      TERM_PROGRAM: 'x',
      COLUMNS: '80',
    },
    ...{KITTY_WINDOW_ID: '1', PWD: '/x', OLDPWD: '/y', SHLVL: '3', _: '/usr/bin/env', SSH_TTY: '/dev/pts/1'},
    ...{CLAUDECODE: '1', CODEX_SANDBOX: 'x', NODE_CHANNEL_FD: '3', NOTIFY_SOCKET: '/n', LISTEN_FDS: '1'},
  }
  assert.equal(stripCaptured({...kept, ...gone}), kept)
})

test('what a person set for programs stays: proxies, libraries, options, a port', () => {
  const env = {
    ...{
      PATH: '/bin',
      https_proxy: 'http://p',
      LD_LIBRARY_PATH: '/l',
      NODE_OPTIONS: '--max-old-space-size=4096',
    },
    ...{
      PORT: '3000',
      npm_config_registry: 'http://r',
      CONDA_PREFIX: '/c',
      GIT_SSH_COMMAND: 'ssh -i k',
      NO_COLOR: '1',
    },
  }
  assert.equal(stripCaptured(env), env)
})

test('a task started from a git hook is not bound to that repository', () => {
  const env = stripCaptured({
    GIT_DIR: '.git',
    GIT_INDEX_FILE: '.git/index',
    GIT_PREFIX: '',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'a',
    GIT_AUTHOR_NAME: 'Ann',
  })
  assert.equal(env, {GIT_AUTHOR_NAME: 'Ann'})
})

test('what npm adds for one script goes, with its directories in PATH', () => {
  const env = stripCaptured({
    ...{
      npm_execpath: '/npm',
      npm_lifecycle_event: 'test',
      npm_package_name: 'x',
      npm_config_prefix: '/p',
      INIT_CWD: '/i',
    },
    ...{
      NODE: '/n',
      PATH: '/x/node_modules/.bin:/node_modules/.bin:/npm/node-gyp-bin:/usr/bin:/bin',
      HOME: '/h',
    },
  })
  assert.equal(env, {PATH: '/usr/bin:/bin', HOME: '/h'})
  assert.equal(stripCaptured({PATH: '/x/node_modules/.bin:/bin'}), {PATH: '/x/node_modules/.bin:/bin'})
})

test('an activated venv is not pinned onto a task', () => {
  assert.equal(stripCaptured({VIRTUAL_ENV: '/v', VIRTUAL_ENV_PROMPT: 'v', PATH: '/v/bin:/bin'}), {
    PATH: '/bin',
  })
})

test('what is no variable is dropped', () => {
  assert.equal(stripCaptured({'': 'x', 'a=b': 'c', A: 'x\0y', B: undefined, C: ''}), {C: ''})
})

test('a caller without PATH gets the plain one', () => {
  assert.match(capturedFrom({PATH: ''}).PATH ?? '', /:\/usr\/bin:\/sbin:\/bin$/)
})

test('the daemon takes out of its own environment what must reach nothing it starts', () => {
  const env: NodeJS.ProcessEnv = {
    ...{
      PATH: '/x/node_modules/.bin:/bin',
      npm_execpath: '/npm',
      HOME: '/h',
      TERMIC_DATA_DIR: '/d',
      TERMIC_X: '1',
    },
    ...{NODE_OPTIONS: '--inspect', BASH_ENV: '/b', GIT_DIR: '/g', LANG: 'C'},
  }
  const gone = stripOwn(env)
  assert.equal(env, {PATH: '/bin', HOME: '/h', LANG: 'C'})
  assert.equal(gone.sort(), [
    'BASH_ENV',
    'GIT_DIR',
    'NODE_OPTIONS',
    'TERMIC_DATA_DIR',
    'TERMIC_X',
    'npm_execpath',
  ])
})

test('a pane finds its daemon, task and terminal, and no token', () => {
  const surroundings = {
    captured: {
      PATH: '/bin',
      TERM: 'dumb',
      TERMIC_TASK: 'outer',
      TERMIC_MCP_TOKEN: 'secret',
      TERMIC_CLI: '/old',
    },
    ...{
      task: {id: 't1', name: 'fix login'},
      pane: '%7',
      paths: {root: '/data', socket: '/run/t.sock'},
      node: '/node',
    },
  }
  assert.equal(paneEnvironment(surroundings), {
    ...{PATH: '/bin', TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'termic'},
    ...{TERMIC_DATA_DIR: '/data', TERMIC_SOCKET: '/run/t.sock', TERMIC_NODE: '/node'},
    ...{TERMIC_TASK: 'fix login', TERMIC_TASK_ID: 't1', TERMIC_PANE: '%7'},
  })
  const {TERMIC_CLI, TERMIC_CLI_HELP = ''} = paneEnvironment({...surroundings, cli: '/opt/termic'})
  assert.is(TERMIC_CLI, '/opt/termic')
  assert.match(TERMIC_CLI_HELP, /^[^\n]{20,200}$/)
})

test.run()
