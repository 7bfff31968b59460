import {createRequire} from 'node:module'
import {closeInherited} from '../../close-inherited.ts'

/** What is used of node-pty's native addon; its JavaScript layer loses output and can hang or write into reused descriptors. */
interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): {fd: number; pid: number; pty: string}
  resize(fd: number, columns: number, rows: number): void
}

export interface PtyOptions {
  argv: string[]
  env: Record<string, string>
  cwd: string
  columns: number
  rows: number
  /** `signal` is 0 unless one ended the program. */
  onExit: (code: number, signal: number) => void
}

export interface Pty {
  /** The master, non-blocking. Whoever owns it closes it. */
  fd: number
  pid: number
  /** Path of the slave (`/dev/pts/…`). */
  slave: string
  resize(columns: number, rows: number): void
}

// createRequire and a computed name: the addon stays outside of a bundle. It is a dependency of @lydell/node-pty, not
// ours, and installers other than npm put it where only that package finds it.
const require = createRequire(import.meta.url)
const packageName = `@lydell/node-pty-${process.platform}-${process.arch}`
const nodePty = createRequire(require.resolve('@lydell/node-pty/package.json'))
const native = nodePty(`${packageName}/pty.node`) as NativePty
const helper = process.platform === 'darwin' ? nodePty.resolve(`${packageName}/spawn-helper`) : 'unused'

/** Starts the program in a terminal of its own. Throws when the system gives no terminal or no process. */
export function forkPty(options: PtyOptions): Pty {
  closeInherited()
  const [file = '', ...args] = options.argv
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`)
  const {cwd, columns, rows, onExit} = options
  const {fd, pid, pty} = native.fork(file, args, env, cwd, columns, rows, -1, -1, true, helper, onExit)
  return {fd, pid, slave: pty, resize: (columns, rows) => native.resize(fd, columns, rows)}
}
