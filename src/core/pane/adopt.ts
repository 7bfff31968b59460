import {setTimeout as delay} from 'node:timers/promises'
import {HostClient} from './host-client.ts'
import {readJournal} from './log-reader.ts'
import {readPaneRecord} from './pane-record.ts'
import {isAlive} from './proc-stat.ts'
import type {PaneExit, PaneRecord} from './types.ts'

/** A living host that can't be reached is on its way out, or so busy that its queue of callers is full. */
const reachMs = 3000
const retryMs = 10

/**
 * How a pane stands. `alive`: its host answers the phone (its program may have exited, see the record, while background
 * processes hold the terminal); `exited`: all is over and on record; `lost`: the host died without a word.
 */
export type Adoption =
  | {alive: HostClient; record: PaneRecord}
  | {exited: PaneRecord & {exited: PaneExit}}
  | {lost: PaneRecord | null}

/** Finds the host of a pane by its directory, and connects. A host that is merely slow (or stopped) is alive. */
export async function adopt(paneDir: string): Promise<Adoption> {
  for (const until = performance.now() + reachMs; ; await delay(retryMs)) {
    const record = readPaneRecord(paneDir)
    if (record === null) return {lost: null}
    // Asked before the record is read again below: a host writes its exit first and ends afterwards.
    if (!isAlive(record.hostPid, record.hostStartTicks))
      return bury(paneDir, readPaneRecord(paneDir) ?? record)
    try {
      return {alive: await HostClient.connect(record.socket), record}
    } catch (error) {
      if (performance.now() > until) {
        if (record.exited !== null) return bury(paneDir, record)
        throw error
      }
    }
  }
}

async function bury(paneDir: string, record: PaneRecord): Promise<Adoption> {
  const exited = record.exited ?? (await exitOfJournal(paneDir))
  return exited === null ? {lost: record} : {exited: {...record, exited}}
}

/** On a full disk the last line of the journal may have found the place that the record did not. */
async function exitOfJournal(paneDir: string): Promise<PaneExit | null> {
  const {entries} = await readJournal(paneDir, {afterSeq: 0})
  const entry = entries.findLast(entry => entry.type === 'exit')
  if (entry === undefined) return null
  const {code, at, offset, signal} = entry
  return {code, at, offset, ...(signal === undefined ? {} : {signal})}
}
