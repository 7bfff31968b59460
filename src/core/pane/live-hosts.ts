import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {readPaneRecord} from './pane-record.ts'
import {isAlive} from './proc-stat.ts'

/** Whether any pane below `panesDir` still has its host: a daemon that ended leaves them running. */
export function hasLiveHost(panesDir: string): boolean {
  if (!existsSync(panesDir)) return false
  return readdirSync(panesDir).some(pane => {
    const record = readPaneRecord(join(panesDir, pane))
    return record !== null && isAlive(record.hostPid, record.hostStartTicks)
  })
}
