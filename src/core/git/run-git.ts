import {existsSync} from 'node:fs'
import {spawn} from '../child-process.ts'
import {fail} from '../errors.ts'
import {gitEnvironment, gitOptions, type TreePlace} from './git-environment.ts'
import {takeProcessSlot} from './process-slots.ts'

export interface GitRun {
  cwd: string
  /** `read` takes no lock of the index. */
  kind: 'read' | 'write'
  /** A tree that an agent may have written: nothing that its configuration names is run. */
  hostile: boolean
  /** Names git directory and work tree outright; without it git looks for them from `cwd`. */
  tree?: TreePlace
  /** Names the git directory only, for commands that are about no working tree. */
  repository?: string
  /** Default 30 s; then the whole process group is ended and the failure is `git.timeout`. */
  timeoutMs?: number
  /** Output kept; default 16 MiB. What comes after ends git, and the result says `truncated`. */
  maxBytes?: number
  /** Output passed over before keeping any. */
  skipBytes?: number
  input?: string
  /** Exit codes beside 0 that are an answer and no failure. */
  answers?: readonly number[]
  /** PATH for git, instead of the daemon's own. */
  path?: string
  signal?: AbortSignal
}

export interface GitResult {
  stdout: Buffer
  exit: number
  /** True when git had more to say than `maxBytes`. */
  truncated: boolean
  /** Bytes that git wrote, those passed over and a cut-off rest included. */
  totalBytes: number
}

const defaultTimeoutMs = 30_000
const defaultMaxBytes = 16 * 1024 * 1024
const stderrKeptBytes = 16 * 1024
/** git takes its lock files and half-made worktrees away on SIGTERM, so it gets this long before SIGKILL. */
const graceMs = 2_000

/**
 * Runs git; the only way that termic does. At most two per core at once, the others wait their turn.
 *
 * Throws `git.failed` (with git's last line), `git.timeout`, `git.missing`, or the signal's reason.
 */
export async function runGit(args: readonly string[], run: GitRun): Promise<GitResult> {
  const free = await takeProcessSlot(run.signal)
  try {
    return await start(args, run)
  } finally {
    free()
  }
}

/** `runGit`, its whole output as text without the final newline. */
export async function readGit(args: readonly string[], run: GitRun): Promise<string> {
  return (await runGit(args, run)).stdout.toString('utf8').replace(/\n$/, '')
}

function start(args: readonly string[], run: GitRun): Promise<GitResult> {
  const env = gitEnvironment(run)
  const [program = 'git', ...rest] = [
    ...(run.tree?.launcher ?? []),
    'git',
    ...gitOptions(run.hostile, env.PATH),
    ...args,
  ]
  const {promise, resolve, reject} = Promise.withResolvers<GitResult>()
  // A group of its own: `git worktree add` does not end its checkout child when it is ended itself.
  const child = spawn(program, rest, {
    cwd: run.cwd,
    env,
    detached: true,
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  const output = new BoundedOutput(run.skipBytes ?? 0, run.maxBytes ?? defaultMaxBytes)
  let stderr = ''
  let ended: 'timeout' | 'abort' | 'full' | undefined
  let killTimer: NodeJS.Timeout | undefined

  const end = (why: typeof ended) => {
    if (ended !== undefined) return
    ended = why
    signalGroup(child.pid, 'SIGTERM')
    killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMs)
  }
  const abort = () => end('abort')
  const timer = setTimeout(() => end('timeout'), run.timeoutMs ?? defaultTimeoutMs)
  const settle = () => {
    clearTimeout(timer)
    clearTimeout(killTimer)
    run.signal?.removeEventListener('abort', abort)
  }
  run.signal?.addEventListener('abort', abort, {once: true})
  child.stdout?.on('data', (chunk: Buffer) => {
    if (output.add(chunk) === 'full') end('full')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-stderrKeptBytes)
  })
  child.on('error', cause => {
    settle()
    reject(asFailure(() => spawnFailed(args, run, cause)))
  })
  child.on('close', (code, signal) => {
    settle()
    if (ended === 'abort') reject(run.signal?.reason)
    else if (ended === 'timeout') reject(asFailure(() => timedOut(args, run)))
    else if (ended === 'full' || code === 0 || (code !== null && run.answers?.includes(code))) {
      resolve({
        stdout: output.kept(),
        exit: code ?? 0,
        truncated: ended === 'full',
        totalBytes: output.totalBytes,
      })
    } else
      reject(asFailure(() => failed(args, stderr, code === null ? `ended by ${signal}` : `exit ${code}`)))
  })
  // git may end without reading its input (EPIPE); its exit says why.
  child.stdin?.on('error', () => {})
  child.stdin?.end(run.input)
  return promise
}

class BoundedOutput {
  totalBytes = 0
  readonly #chunks: Buffer[] = []
  readonly #skip: number
  readonly #end: number

  constructor(skipBytes: number, maxBytes: number) {
    this.#skip = skipBytes
    this.#end = skipBytes + maxBytes
  }

  /** `full` once there is output past what is kept. */
  add(chunk: Buffer): 'full' | 'room' {
    const from = Math.max(0, this.#skip - this.totalBytes)
    const to = Math.min(chunk.length, this.#end - this.totalBytes)
    if (from < to) this.#chunks.push(chunk.subarray(from, to))
    this.totalBytes += chunk.length
    return this.totalBytes > this.#end ? 'full' : 'room'
  }

  kept(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** `fail` throws; a promise wants the thrown value. */
function asFailure(thrower: () => never): unknown {
  try {
    return thrower()
  } catch (error) {
    return error
  }
}

function spawnFailed(args: readonly string[], run: GitRun, cause: NodeJS.ErrnoException): never {
  // A missing working directory is reported as ENOENT of the program.
  if (!existsSync(run.cwd))
    fail('git.failed', {command: commandOf(args), reason: `there is no directory ${run.cwd}`}, cause)
  if (cause.code === 'ENOENT' && run.tree?.launcher === undefined) fail('git.missing', {}, cause)
  fail('git.failed', {command: commandOf(args), reason: cause.message}, cause)
}

function timedOut(args: readonly string[], run: GitRun): never {
  const seconds = (run.timeoutMs ?? defaultTimeoutMs) / 1000
  fail('git.timeout', {command: commandOf(args), seconds, cwd: run.cwd})
}

function failed(args: readonly string[], stderr: string, how: string): never {
  fail('git.failed', {command: commandOf(args), reason: gitReason(stderr) ?? how})
}

/** `worktree add`, `status`: the words a user knows the command by. */
function commandOf(args: readonly string[]): string {
  const [command = '', sub] = args.filter((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c')
  return command === 'worktree' && sub !== undefined ? `${command} ${sub}` : command
}

/**
 * The last line in which git names the failure; what may follow is advice ("remove the file manually to continue."). Without
 * such a line, its last one.
 */
function gitReason(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  const reason = (lines.findLast(line => /^(fatal|error): /.test(line)) ?? lines.at(-1))?.replace(
    /^(fatal|error): /,
    '',
  )
  // The one advice without which the user is stuck.
  const advice = lines.find(line => line.startsWith('git config --global --add safe.directory'))
  return advice === undefined ? reason : `${reason}; if you trust it, run \`${advice}\``
}
