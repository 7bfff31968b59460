import {accessSync, constants} from 'node:fs'
import {delimiter, join} from 'node:path'

/**
 * What git inherits. Everything else stays out: GIT_DIR, GIT_INDEX_FILE and friends of the shell that happened to start
 * the daemon would point every command at one repository. The three that say where the user's own configuration is stay.
 */
const inherited = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'SSH_AUTH_SOCK',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
] as const

/** A worktree named outright, so that git discovers nothing from what an agent may have written there. */
export interface TreePlace {
  /** Working directory, canonical. */
  path: string
  /** The worktree's own git directory (`<commonDir>/worktrees/<id>`, or `commonDir` itself for a main checkout). */
  gitDir: string
  commonDir: string
  /** Command that git is run by on this tree (the git cage of a task that is or was caged). */
  launcher?: readonly string[]
}

export interface GitEnvironmentOptions {
  kind: 'read' | 'write'
  hostile: boolean
  tree?: TreePlace
  repository?: string
  /** PATH to find git and git-lfs in, instead of the daemon's own. */
  path?: string
}

/** The whole environment of a git process. */
export function gitEnvironment(options: GitEnvironmentOptions): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0'}
  for (const name of inherited) if (process.env[name] !== undefined) env[name] = process.env[name]
  if (options.path !== undefined) env.PATH = options.path
  // Without this a background `git status` takes index.lock and makes the agent's own `git add` fail (git 2.15).
  if (options.kind === 'read') env.GIT_OPTIONAL_LOCKS = '0'
  // GIT_COMMON_DIR too: the admin directory's `commondir` file can be rewritten by whoever can write there.
  if (options.tree !== undefined) {
    env.GIT_DIR = options.tree.gitDir
    env.GIT_COMMON_DIR = options.tree.commonDir
    env.GIT_WORK_TREE = options.tree.path
  }
  if (options.repository !== undefined) env.GIT_DIR = options.repository
  if (options.hostile) {
    // A partial clone fetches missing blobs in the middle of a diff, over a transport that the repository's configuration
    // names (ext::, a credential helper, askPass). GIT_NO_LAZY_FETCH is newer (2.45), so the transports are closed as well.
    env.GIT_ALLOW_PROTOCOL = 'none'
    env.GIT_NO_LAZY_FETCH = '1'
    env.SSH_AUTH_SOCK = undefined
  }
  return env
}

/**
 * Options before the subcommand.
 *
 * What holds on a hostile tree (probed with git 2.39.5): no hook, fsmonitor, ssh command, gpg program, textconv or external
 * diff runs, and nothing is discovered from the worktree. What does not: a clean filter of the repository's own
 * configuration runs when status or diff has to hash a file that `.gitattributes` gives it. That configuration is in the
 * common directory, which a cage holds read-only (as it does `config.worktree`); an agent without a cage has the user's
 * authority anyway. A caged task's git therefore runs in the git cage (50-sandbox.md §2), by the `launcher` of `runGit`.
 */
export function gitOptions(hostile: boolean, path: string | undefined): string[] {
  // Git writes files one by one unless told otherwise, and mostly waits: on two cores 5,000 files take 250 ms with one
  // worker, 220 with two and 190 with eight (2.39.5). They are what a new task costs most.
  const options = ['-c', 'checkout.workers=8']
  // An empty diff.external makes git die; --no-ext-diff of the diff commands is what switches it off.
  if (hostile) {
    options.push(
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.fsmonitor=false',
      '-c',
      'core.sshCommand=false',
    )
    options.push('-c', 'log.showSignature=false')
    // `git diff` writes the index back, under index.lock, whatever GIT_OPTIONAL_LOCKS says (seen with 2.39.5).
    options.push('-c', 'diff.autoRefreshIndex=false')
    // Names in a patch as they are, instead of in octal.
    options.push('-c', 'core.quotePath=false')
    // A larger file is compared as binary: for the lines of one of 200 MB git needs 10 s and all of it in memory, twice.
    options.push('-c', 'core.bigFileThreshold=16m')
  }
  // `git lfs install` sets filter.lfs.required, so without the program a checkout dies half-way, and so does a later status
  // that hashes a pointer. Switched off, the pointers are simply the content.
  if (!isInstalled('git-lfs', path)) {
    for (const what of ['smudge=', 'clean=', 'process=', 'required=false'])
      options.push('-c', `filter.lfs.${what}`)
  }
  return options
}

const found = new Map<string, {installed: boolean; checkedAt: number}>()
const rememberMs = 30_000

/** Whether PATH has the program; remembered for half a minute, since every git command asks. */
export function isInstalled(program: string, path: string | undefined): boolean {
  const key = `${program}\0${path}`
  const known = found.get(key)
  if (known !== undefined && performance.now() - known.checkedAt < rememberMs) return known.installed
  const installed = (path ?? '')
    .split(delimiter)
    .some(directory => directory !== '' && isExecutable(join(directory, program)))
  found.set(key, {installed, checkedAt: performance.now()})
  return installed
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
