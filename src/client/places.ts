import {join} from 'node:path'
import {programDir} from '../program-dir.ts'

export const daemonEntry = join(programDir, 'daemon.js')
export const localEntry = join(programDir, 'local.js')
