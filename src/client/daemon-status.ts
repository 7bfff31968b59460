import {spanText} from '../core/duration.ts'

/** What `daemon.status` answers; only the places are known while none runs. */
export interface DaemonStatus {
  running: boolean
  pid?: number
  version?: string
  startedAt?: number
  dataDir?: string
  socket?: string
  log?: string
  livePanes?: number
  calls?: number
  residentBytes?: number
}

export function daemonText({
  running,
  pid,
  version,
  startedAt = 0,
  dataDir,
  socket,
  log,
  livePanes,
  residentBytes = 0,
}: DaemonStatus): string {
  if (!running) return `no daemon is running; any verb starts it\n  data     ${dataDir}\n  log      ${log}`
  return [
    `termic ${version} runs as process ${pid} since ${spanText(Date.now() - startedAt)}`,
    `  panes    ${livePanes} live`,
    `  memory   ${Math.round(residentBytes / 1024 / 1024)} MB`,
    `  data     ${dataDir}`,
    `  socket   ${socket}`,
    `  log      ${log}`,
  ].join('\n')
}
