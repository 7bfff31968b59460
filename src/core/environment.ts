import type {DataDir} from './daemon/data-dir.ts'
import {stripCaptured} from './strip-environment.ts'

export {type LoginEnvironment, loginEnvironment} from './login-environment.ts'
export {isReserved, reservedNames} from './reserved-names.ts'
export {stripCaptured, stripOwn} from './strip-environment.ts'

/** Where the system's own programs are, for a caller that has no PATH at all. */
const plainPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface PaneSurroundings {
  /** As `capturedFrom` or the login environment gave it; stored with the task. */
  captured: Readonly<Record<string, string>>
  task: {id: string; name: string}
  /** As it is shown: `%7`. */
  pane: string
  paths: Pick<DataDir, 'root' | 'socket'>
  /** The Node that termic runs on. */
  node: string
  /** The launcher, absolute; absent where the CLI would not answer. */
  cli?: string
}

/** What is kept of the environment of whoever called, for a task's life. */
export function capturedFrom(
  callerEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env = stripCaptured(callerEnv)
  return {...env, PATH: env.PATH || plainPath}
}

/**
 * The whole environment of a pane outside a cage. It holds no token: a program inside reads the token file like any
 * other program of this user.
 */
export function paneEnvironment(surroundings: PaneSurroundings): Record<string, string> {
  const {captured, task, pane, paths, node, cli} = surroundings
  return {
    ...capturedFrom(captured),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'termic',
    TERMIC_DATA_DIR: paths.root,
    TERMIC_SOCKET: paths.socket,
    TERMIC_NODE: node,
    TERMIC_TASK: task.name,
    TERMIC_TASK_ID: task.id,
    TERMIC_PANE: pane,
    ...(cli === undefined ? {} : {TERMIC_CLI: cli, TERMIC_CLI_HELP: cliHelp}),
  }
}

/** One line for an agent that looks through its environment. */
const cliHelp =
  'run "$TERMIC_CLI" help: termic starts other agents in worktrees of their own, sends them prompts and waits for them'
