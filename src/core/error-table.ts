/**
 * The one table of expected failures. A code is public API (additive only): scripts branch on it, every presentation
 * carries it, and docs/errors.md is generated from here. `{name}` in a sentence is filled from the data of `fail()`.
 *
 * exit: process exit code (10-verbs.md §2). A sentence says what happened first and the next step last.
 */
export const errorTable = {
  // asking
  'usage.invalid': {exit: 2, sentence: '{reason}'},
  'usage.unknown-verb': {exit: 2, sentence: 'there is no verb "{verb}"{hint}; `termic help` lists the verbs'},
  'confirm.declined': {exit: 1, sentence: 'nothing was done, since the question was not answered with yes'},
  'confirm.no-terminal': {
    exit: 1,
    sentence: 'this needs a yes ({question}) and there is no terminal to ask on; pass --{flag} to agree',
  },
  'input.empty-prompt': {
    exit: 1,
    sentence: 'the prompt is empty, so there is nothing to send; give -p a text',
  },
  'input.nul': {
    exit: 1,
    sentence: 'the {what} contains a NUL byte, which no terminal can take; remove it and send again',
  },
  'input.not-text': {
    exit: 1,
    sentence:
      'the {what} is not UTF-8, so it would not arrive as it is; convert it (`iconv -t utf-8`) and send again',
  },
  'input.too-large': {
    exit: 1,
    sentence: 'the {what} is {size} bytes and the limit is {limit}; put it in a file and name the file',
  },
  'input.cut-off': {
    exit: 1,
    sentence: 'stdin was cut off before its end, so nothing was sent; run it again',
  },
  'output.too-large': {
    exit: 1,
    sentence: 'the answer is {size} bytes and one line takes {limit}; ask for a part of it (offset, limit)',
  },
  unsupported: {exit: 1, sentence: '{what} is not supported by this version of termic; {next}'},
  internal: {exit: 1, sentence: 'termic failed in a way it did not expect ({reason}); {log} has the details'},

  // daemon and connection
  'daemon.not-running': {
    exit: 4,
    sentence: 'the termic daemon is not running{why}; `termic daemon start` starts it',
  },
  'daemon.start-failed': {exit: 4, sentence: 'the termic daemon would not start: {reason}'},
  'daemon.stopping': {exit: 8, sentence: 'the termic daemon is stopping{what}; {next}'},
  'daemon.lost': {
    exit: 8,
    sentence: 'the connection to the termic daemon was lost{what}; `termic list` shows how things stand',
  },
  'cli.disabled': {
    exit: 5,
    sentence:
      'the termic CLI is switched off in the settings; `termic config set cli.enabled true` switches it on',
  },
  'auth.refused': {
    exit: 6,
    sentence: 'the daemon refused this caller ({reason}); check that {tokenFile} is yours and current',
  },
  'auth.scope': {exit: 6, sentence: '{verb} is not open to a scoped token; ask a person to run it'},
  'version.daemon-older': {
    exit: 1,
    sentence:
      'the running daemon is {daemon} and this termic is {client}; run it again without --no-launch to replace the daemon',
  },
  'version.client-older': {
    exit: 1,
    sentence:
      'this termic is {client} and the running daemon is {daemon}; update this one, or run `termic daemon restart` to go back',
  },

  // data directory and state
  'data.unusable': {exit: 4, sentence: '{path} cannot be used: {reason}'},
  'data.newer': {
    exit: 4,
    sentence:
      'the state file {path} was written by a newer termic (format {found}, this one knows {known}); update termic',
  },
  'data.corrupt': {
    exit: 4,
    sentence:
      'the state file {path} is damaged ({reason}) and was left as it is; put a copy of it back, or move it away to start without its tasks',
  },
  'data.full': {
    exit: 1,
    sentence: 'the disk that holds {path} is full, so nothing was changed; free some space and run it again',
  },
  'data.read-only': {
    exit: 1,
    sentence:
      '{path} cannot be written ({reason}), so nothing was changed; make it writable and run it again',
  },
  'socket.path-too-long': {
    exit: 4,
    sentence:
      'the socket path {path} is {length} bytes long and the limit is {limit}; set TERMIC_SOCKET or TERMIC_DATA_DIR to a shorter path',
  },
  'socket.refused': {
    exit: 6,
    sentence: 'the socket {path} of the termic daemon cannot be used ({reason}); check its permissions',
  },
  'settings.invalid': {
    exit: 1,
    sentence: '{path} is not valid: {reason}; correct that line or remove the file',
  },
  'settings.unknown-key': {
    exit: 1,
    sentence: 'there is no setting "{key}"{hint}; `termic config list` shows them',
  },
  'settings.bad-value': {exit: 1, sentence: '"{value}" does not fit the setting {key}: {reason}'},

  // projects
  'project.not-found': {exit: 1, sentence: 'no project named {name}; `termic project list` shows them'},
  'project.unregistered': {
    exit: 1,
    sentence: '{root} is not a termic project yet; `termic project add` in it adds it, or pass --yes',
  },
  'project.not-git': {
    exit: 1,
    sentence: '{path} is not inside a git repository; run `git init` there or go to one',
  },
  'project.name-taken': {
    exit: 1,
    sentence: 'a project named {name} exists already ({root}); pass --name to call this one something else',
  },
  'project.has-tasks': {
    exit: 1,
    sentence:
      'project {name} still has {count} live task(s); archive them first (`termic list --project {name}` shows them)',
  },

  // tasks
  'task.not-found': {exit: 1, sentence: 'no task named {name}; `termic list` shows them'},
  'task.ambiguous': {exit: 1, sentence: 'more than one task fits {name}: {candidates}; name one of them'},
  'task.required': {
    exit: 1,
    sentence: 'this directory belongs to no task, so name one; `termic list` shows them',
  },
  'task.name-taken': {
    exit: 1,
    sentence: 'a task named {name} exists already in project {project}; choose another name',
  },
  'task.bad-name': {exit: 1, sentence: '"{name}" cannot name a task: {reason}; choose another name'},
  'task.branch-conflict': {
    exit: 1,
    sentence:
      'branch {branch} cannot be made, since branch {other} exists and git keeps both in one place; choose another name',
  },
  'task.branch-exists': {exit: 1, sentence: 'branch {branch} exists already; choose another name'},
  'task.branch-in-use': {exit: 1, sentence: 'branch {branch} is checked out at {path}; choose another name'},
  'task.place-taken': {
    exit: 1,
    sentence: 'the directory {path} exists already; move it away or choose another name',
  },
  'task.no-commits': {
    exit: 1,
    sentence:
      '{root} has no commit yet, so there is nothing to branch from; make a first one (`git commit --allow-empty -m start`) and run it again',
  },
  'task.bad-base': {
    exit: 1,
    sentence: '"{base}" names no commit in {root}; check it with `git rev-parse {base}`',
  },
  'task.missing': {
    exit: 1,
    sentence:
      'the worktree {path} of task {name} is gone; `termic archive {name}` files the task away, its branch is kept',
  },
  'task.unsaved-work': {
    exit: 1,
    sentence:
      'task {name} has work that is in no commit ({what}), so it was not archived; commit it or move it away first',
  },
  'task.processes-remain': {
    exit: 1,
    sentence:
      '{count} process(es) of task {name} could not be ended, so it was not archived; `termic status {name}` shows its panes',
  },
  'task.archived': {exit: 1, sentence: 'task {name} was archived meanwhile'},
  'task.create-failed': {
    exit: 1,
    sentence: 'task {name} could not be made ({reason}); nothing of it was kept',
  },

  // panes, agents, delivery
  'pane.lost': {
    exit: 1,
    sentence: 'pane {pane} is lost: its host process died; its output is kept (`termic log`)',
  },
  'pane.limit': {
    exit: 1,
    sentence:
      'there are {count} live terminals and the limit is {limit}, so no other was started; archive a task or raise the setting limits.livePanes',
  },
  'pane.start-failed': {exit: 1, sentence: 'the terminal could not be started: {reason}'},
  'tab.not-found': {exit: 1, sentence: 'task {task} has no tab {tab}; `termic status {task}` shows its tabs'},
  'agent.not-found': {exit: 1, sentence: 'no agent named {agent}; there are {available}'},
  'agent.unsupported': {
    exit: 1,
    sentence: 'agent {agent} cannot be driven by this version of termic; use shell, or a command of your own',
  },
  'agent.not-installed': {
    exit: 1,
    sentence: 'the program {program} was not found in PATH; install it or correct PATH, then run this again',
  },
  'agent.none': {
    exit: 1,
    sentence: 'task {task} has no live agent; `termic send {task} --fresh` starts a new one{resume}',
  },
  'agent.no-session': {exit: 1, sentence: 'task {task} has no session to resume; --fresh starts a new one'},
  'agent.running': {
    exit: 1,
    sentence: 'task {task} has a live agent already, so --{flag} has nothing to do; leave it out',
  },
  'agent.no-signal': {
    exit: 1,
    sentence:
      'agent {agent} gives no sign when it has finished, so there is nothing to wait for; leave out the wait',
  },
  'agent.gone': {
    exit: 1,
    sentence:
      'the agent of task {task} went away ({how}) while this waited; `termic status {task}` tells more',
  },
  'delivery.not-found': {
    exit: 1,
    sentence: 'no delivery {delivery} in task {task}; `termic status {task}` shows the queue',
  },
  'delivery.none-failed': {
    exit: 1,
    sentence:
      'no prompt of task {task} failed to be delivered, so there is nothing to send again; give one with -p',
  },
  'delivery.id-taken': {
    exit: 1,
    sentence: 'delivery id {delivery} was used before with another prompt or task; use a new id',
  },

  // git
  'git.locked': {
    exit: 1,
    sentence: 'the worktree {path} is locked{reason}, so it was left alone; `git worktree unlock` frees it',
  },
  'git.missing': {exit: 1, sentence: 'git was not found in PATH; install git and run this again'},
  'git.failed': {exit: 1, sentence: 'git {command} failed: {reason}'},
  'git.timeout': {
    exit: 1,
    sentence: 'git {command} did not finish within {seconds} s and was ended; try it by hand in {cwd}',
  },
} as const satisfies Record<string, {exit: number; sentence: string}>

export type ErrorCode = keyof typeof errorTable
