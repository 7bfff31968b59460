import {readFileSync, renameSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {PaneRecord} from './types.ts'

const recordFile = 'pane.json'

/** The pane's record, or null where none was written (its host never got so far) or it can't be read. */
export function readPaneRecord(paneDir: string): PaneRecord | null {
  try {
    return JSON.parse(readFileSync(join(paneDir, recordFile), 'utf8')) as PaneRecord
  } catch {
    // The file appears complete by a rename, so this means: there is none.
    return null
  }
}

/** Replaces the record in one step. Throws what the file system says (a full disk, above all). */
export function writePaneRecord(paneDir: string, record: PaneRecord): void {
  const next = join(paneDir, `${recordFile}.next`)
  writeFileSync(next, `${JSON.stringify(record)}\n`, {mode: 0o600})
  renameSync(next, join(paneDir, recordFile))
}
