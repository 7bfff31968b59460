import {memoryUsage, pid} from 'node:process'
import type {Service} from '../service.ts'

/**
 * Methods on the daemon itself, which no verb can be: they must work whatever else does. `daemon.stop` is frozen for
 * ever, since a client of any version uses it.
 */
export const control: Record<string, (service: Service, params: unknown) => unknown> = {
  'daemon.stop': (service, params) => {
    const restart = (params as {restart?: boolean} | undefined)?.restart === true
    service.stop(restart ? 'another one takes over' : 'asked to stop', {restart})
    return {stopping: true, pid}
  },
  'daemon.status': ({version, startedAt, paths, core, calls}) => ({
    running: true,
    pid,
    version,
    startedAt,
    dataDir: paths.root,
    socket: paths.socket,
    log: paths.log,
    livePanes: core.panes.liveCount(),
    calls: calls.size - 1,
    residentBytes: memoryUsage.rss(),
  }),
  /** Without `commit` only a preview, so that a missing field does nothing. */
  'daemon.quit': (service, params) => {
    const {tasks, panes, working} = service.core.panes.liveSummary()
    const commit = (params as {commit?: boolean} | undefined)?.commit === true
    if (commit) service.stop('quit', {panes: true})
    return {running: true, quitting: commit, ...(commit && {pid}), tasks, panes, working}
  },
}
