import type {ErrorCode} from '../../../src/core/errors.ts'

/** Codes that one call in a quiet termic cannot provoke: the test that does, and words of it that must be there. */
export const testedElsewhere: Partial<Record<ErrorCode, readonly [file: string, words: string]>> = {
  'confirm.declined': ['e2e/questions.test.ts', 'confirm.declined'],
  'input.cut-off': ['presentations/socket/exec-framing.test.ts', 'cut off'],
  'output.too-large': ['presentations/socket/every-verb.test.ts', 'output.too-large'],
  internal: ['core/errors.test.ts', 'internal'],
  'daemon.stopping': ['faults/waits-over-restarts.test.ts', 'daemon.stopping'],
  'daemon.lost': ['e2e/exit-codes.test.ts', 'daemon.lost'],
  'auth.scope': ['core/verb/dispatch.test.ts', 'auth.scope'],
  'version.daemon-older': ['faults/version-skew.test.ts', 'version.daemon-older'],
  'version.client-older': ['faults/version-skew.test.ts', 'version.client-older'],
  // The start of a daemon tells these as its reason: `daemon.start-failed`.
  'data.newer': ['faults/data-dir.test.ts', 'was written by a newer termic'],
  'data.corrupt': ['faults/data-dir.test.ts', 'is damaged'],
  'data.full': ['faults/full-disk.test.ts', 'data.full'],
  'data.read-only': ['core/store/small-disk.test.ts', 'data.read-only'],
  // Between the look and the making; every earlier look adopts the branch.
  'task.branch-exists': ['core/git/add-worktree.test.ts', 'branch feat exists already'],
  'task.archived': ['faults/archive.test.ts', 'task.archived'],
  'pane.lost': ['core/pane/host-client.test.ts', 'pane.lost'],
  'pane.start-failed': ['faults/version-skew.test.ts', 'could not be started'],
  'agent.gone': ['e2e/exit-codes.test.ts', 'agent.gone'],
  'git.timeout': ['core/git/run-git.test.ts', 'git.timeout'],
}

/** Codes that nothing but a fault of the system itself reaches, and which. */
export const unreachable: Partial<Record<ErrorCode, string>> = {
  'task.processes-remain': 'a process that SIGKILL does not end (in an uninterruptible wait of a driver)',
}
