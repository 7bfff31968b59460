import {closeSync, writeSync} from 'node:fs'
import {enableCompileCache, flushCompileCache} from 'node:module'
import {closeInherited} from './core/close-inherited.ts'
import {dataDir} from './core/daemon/data-dir.ts'
import {takeLock} from './core/daemon/lock.ts'
import {prepareDataDir} from './core/daemon/prepare-data-dir.ts'
import {asTermicError} from './core/errors.ts'
import {programDir} from './program-dir.ts'

/**
 * The daemon's entry. The lock comes before everything that costs time, so that the losers of a start race end at once.
 * With --ready-fd=N it says one line there: `ready`, `held`, or why it can't run.
 */
const readyFd = Number(
  process.argv.find(word => word.startsWith('--ready-fd='))?.slice('--ready-fd='.length) ?? 1,
)

/** By then the first call is answered, and what that loaded goes into the cache too. */
const flushAfterMs = 3_000

function say(word: string): void {
  try {
    writeSync(readyFd, `${word}\n`)
    if (readyFd > 2) closeSync(readyFd)
  } catch {
    // Whoever started us is gone; the socket speaks for itself.
  }
}

closeInherited([readyFd])
try {
  const paths = dataDir(process.env)
  prepareDataDir(paths)
  const lock = takeLock(paths.lock)
  if (!lock) say('held')
  else {
    // In the data directory, which is ours alone: what lies in there is run.
    enableCompileCache(paths.compileCache)
    const {runDaemon} = await import('./run-daemon.ts')
    await runDaemon({paths, lock, root: programDir})
    say('ready')
    // A daemon that is killed would leave none behind at its end.
    setTimeout(flushCompileCache, flushAfterMs).unref()
  }
} catch (error) {
  const {code, message} = asTermicError(error)
  say(`${code}: ${message}`)
  process.exit(1)
}
