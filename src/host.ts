import {closeSync, openSync, readFileSync, writeSync} from 'node:fs'
import {PaneHost} from './core/pane/host/pane-host.ts'
import type {PaneLaunch, PaneReady} from './core/pane/types.ts'

/**
 * The process that holds one pane's terminal and outlives the daemon. Started before it is known what to run: by the
 * time the launch comes on stdin, everything is loaded.
 */

/** Time that a program gets to end by itself when its host is told to end. */
const endGraceMs = 1000
/** A fault that repeats must not fill the disk through `host.err`. */
const maxReports = 100

let reports = 0
const report = (error: unknown): void => {
  if (reports++ < maxReports) console.error(new Date().toISOString(), error)
}
// The terminal matters more than whatever went wrong beside it.
process.on('uncaughtException', report)
process.on('unhandledRejection', report)

// Read while nothing else could be done: a blocking read is what takes over first once the last byte is there.
const text = readFileSync(0, 'utf8')
// Abandoned: the daemon found no use for this host.
if (text === '') process.exit(0)

const launch = JSON.parse(text) as PaneLaunch
process.title = `termic pane ${launch.pane}`
const {ready, host} = await PaneHost.start(launch, process.argv.includes('subreaper')).catch(
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    return {ready: {ready: false, code: 'failed', reason} satisfies PaneReady, host: undefined}
  },
)
say(ready)
if (host === undefined) process.exit(1)
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
  process.on(
    signal,
    () => void host.end(`the pane's host got ${signal}`, endGraceMs).finally(() => leave(2 * endGraceMs)),
  )
}
await host.untilDone()
process.exit(0)

function say(answer: PaneReady): void {
  try {
    writeSync(1, `${JSON.stringify(answer)}\n`)
  } catch {
    // The daemon died meanwhile; the next one finds the pane by its record.
  }
  // Closed for the reader to see, and taken again, so that no file gets the number of a standard stream.
  closeSync(1)
  openSync('/dev/null', 'w')
}

/** After the tree has ended the host ends by itself; this is for when something unkillable holds the terminal. */
function leave(afterMs: number): void {
  setTimeout(() => process.exit(1), afterMs).unref()
}
