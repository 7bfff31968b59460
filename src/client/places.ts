import {existsSync} from 'node:fs'
import {join} from 'node:path'

/** The bundle's directory, where the daemon, the local runner and the manifest lie beside this client. */
export const programDir = import.meta.dirname

export const daemonEntry = join(programDir, 'daemon.js')
export const localEntry = join(programDir, 'local.js')

/** `bin/termic` of this installation, for the daemon to hand to agents. */
export const launcher = join(programDir, '..', 'bin', 'termic')

export function isInstalled(): boolean {
  return existsSync(daemonEntry)
}
