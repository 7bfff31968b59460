import {dirname, isAbsolute, join, resolve} from 'node:path'

/** Every file that termic keeps, absolute. */
export interface DataDir {
  readonly root: string
  readonly stateDb: string
  readonly settings: string
  /** One directory per pane. */
  readonly panes: string
  readonly log: string
  readonly lock: string
  readonly socket: string
  readonly cliToken: string
  /** What V8 made of our code at an earlier start; made anew whenever it is missing. */
  readonly compileCache: string
}

/** Where a unix socket path ends: macOS has 104 bytes with the NUL, and Node cuts a longer one silently (Linux: 107). */
export const socketPathLimitBytes = 103

/** No directory can be made here, so a daemon without a home refuses to start with a sentence (prepareDataDir). */
export const nowhere = '/dev/null/termic'

/**
 * The data directory of this environment and its files; looks at nothing on disk. The client asks on its way to the
 * socket, so this module imports nothing else.
 */
export function dataDir(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  home: string | undefined = env.HOME || homeOfUser(),
): DataDir {
  const root = env.TERMIC_DATA_DIR ? resolve(env.TERMIC_DATA_DIR) : defaultRoot(env, platform, home)
  return Object.freeze({
    root,
    stateDb: join(root, 'state.db'),
    settings: join(root, 'settings.json'),
    panes: join(root, 'panes'),
    log: join(root, 'daemon.log'),
    lock: join(root, 'daemon.lock'),
    socket: env.TERMIC_SOCKET ? resolve(env.TERMIC_SOCKET) : join(root, 'daemon.sock'),
    cliToken: join(root, 'cli-token'),
    compileCache: join(root, 'compile-cache'),
  })
}

/** False when TERMIC_SOCKET names a daemon elsewhere, which is never started unasked. */
export function isOwnSocket({socket, root}: DataDir): boolean {
  return dirname(socket) === root
}

/** A longer path would be bound or connected under another name, so neither may be tried. */
export function isSocketPathTooLong(path: string): boolean {
  return Buffer.byteLength(path) > socketPathLimitBytes
}

function defaultRoot(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string | undefined): string {
  // The XDG specification: a relative value is to be ignored.
  if (env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME)) return join(env.XDG_DATA_HOME, 'termic')
  if (!home || !isAbsolute(home)) return nowhere
  return platform === 'darwin'
    ? join(home, 'Library/Application Support/termic')
    : join(home, '.local/share/termic')
}

/** The home of the password database, where HOME is not set (a service, `env -i`). */
function homeOfUser(): string | undefined {
  try {
    return process.getBuiltinModule('node:os').homedir()
  } catch {
    // A uid without an entry (containers) has none.
    return undefined
  }
}
