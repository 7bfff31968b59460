/**
 * Names that belong to the very process, shell or terminal that a captured environment was taken from, and are wrong or
 * harmful anywhere else. What a person set (proxies, LD_LIBRARY_PATH, NODE_OPTIONS, PORT, credentials) is no such thing:
 * an agent outside a cage gets what it would have in the shell that started it.
 */
const ofTheCaller = new Set([
  // The shell's own bookkeeping, and terminals that are not the pane's.
  ...words('_ PWD OLDPWD SHLVL COLUMNS LINES TERM TERMCAP TERMINFO COLORTERM COLORFGBG TERM_PROGRAM'),
  ...words(
    'TERM_PROGRAM_VERSION TERM_SESSION_ID WINDOWID SSH_TTY GPG_TTY TMUX TMUX_PANE STY ITERM_SESSION_ID',
  ),
  ...words(
    'ITERM_PROFILE LC_TERMINAL LC_TERMINAL_VERSION VTE_VERSION WT_SESSION WT_PROFILE_ID INSIDE_EMACS NVIM',
  ),
  // Node's channel to a parent: a descriptor that is something else by now.
  ...words('NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_UNIQUE_ID'),
  // A service manager's word to one process.
  ...words('NOTIFY_SOCKET LISTEN_FDS LISTEN_PID LISTEN_FDNAMES WATCHDOG_PID WATCHDOG_USEC INVOCATION_ID'),
  ...words('JOURNAL_STREAM MAINPID MANAGERPID SYSTEMD_EXEC_PID'),
  // `git rev-parse --local-env-vars`: set in hooks; with one of them every git in the pane works elsewhere.
  ...words(
    'GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_OBJECT_DIRECTORY',
  ),
  ...words(
    'GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS',
  ),
  ...words('GIT_REPLACE_REF_BASE GIT_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR GIT_INTERNAL_SUPER_PREFIX'),
  // "You run inside me": an agent that starts a task is not the surroundings of the task's own agent.
  ...words('CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID CODEX_SANDBOX'),
  ...words(
    'CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID CODEX_CI GEMINI_CLI OPENCODE OPENCODE_PID CURSOR_AGENT',
  ),
  // An activated venv is the main checkout's; its directory leaves PATH as well.
  ...words('VIRTUAL_ENV VIRTUAL_ENV_PROMPT PYTHONHOME'),
])
const prefixesOfTheCaller = [
  'TERMIC_',
  'GIT_CONFIG_KEY_',
  'GIT_CONFIG_VALUE_',
  'KITTY_',
  'WEZTERM_',
  'ALACRITTY_',
  'GHOSTTY_',
  'KONSOLE_',
  'ZELLIJ',
]

/** What `npm run` and `npx` add for their one script. */
const ofNpm = new Set(words('INIT_CWD npm_command npm_execpath npm_node_execpath NODE'))
const prefixesOfNpm = ['npm_lifecycle_', 'npm_package_', 'npm_config_']

/** What changes how the daemon's own helpers (node, sh) start, without being meant for them. */
const ofTheDaemon = new Set(
  words('NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_DEBUG BASH_ENV ENV GIT_EXTERNAL_DIFF'),
)

/** A copy of `env` without what belongs to its caller alone, and without what is no variable at all. */
export function stripCaptured(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isOfNpm = env.npm_execpath !== undefined || env.npm_lifecycle_event !== undefined
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name === '' || /[=\0]/.test(name) || value.includes('\0')) continue
    if (isOfCaller(name) || (isOfNpm && isNpmsOwn(name))) continue
    kept[name] = value
  }
  if (kept.PATH !== undefined) kept.PATH = pathWithout(kept.PATH, isOfNpm, env.VIRTUAL_ENV)
  return kept
}

/** Takes out of the daemon's own environment, in place, what must reach nothing that it starts; answers the names. */
export function stripOwn(env: NodeJS.ProcessEnv): string[] {
  const kept = stripCaptured(env)
  const gone = Object.keys(env).filter(name => !(name in kept) || ofTheDaemon.has(name))
  for (const name of gone) delete env[name]
  if (kept.PATH !== undefined) env.PATH = kept.PATH
  return gone
}

function isOfCaller(name: string): boolean {
  return ofTheCaller.has(name) || prefixesOfTheCaller.some(prefix => name.startsWith(prefix))
}

/** Only where npm started the caller: otherwise a person has exported it (`npm_config_registry`). */
function isNpmsOwn(name: string): boolean {
  return ofNpm.has(name) || prefixesOfNpm.some(prefix => name.startsWith(prefix))
}

function pathWithout(path: string, isOfNpm: boolean, venv: string | undefined): string {
  const isNpms = (directory: string) => /\/node_modules\/\.bin$|\/node-gyp-bin$/.test(directory)
  return path
    .split(':')
    .filter(directory => !(isOfNpm && isNpms(directory)) && !(venv && directory === `${venv}/bin`))
    .join(':')
}

function words(text: string): string[] {
  return text.split(' ')
}
