import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Provocations} from './provocation.ts'

/** A daemon that does not run, cannot run or cannot be reached; each with a data directory of its own. */
export const daemonProvocations: Provocations = {
  'daemon.not-running': ({termic}) => ({
    argv: ['list', '--no-launch'],
    env: {TERMIC_DATA_DIR: join(termic.place, 'none')},
  }),
  'daemon.start-failed'({termic}) {
    const dataDir = join(termic.place, 'damaged')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'state.db'), 'no database'.repeat(1000))
    return {argv: ['list'], env: {TERMIC_DATA_DIR: dataDir}}
  },
  'data.unusable'({termic}) {
    const file = join(termic.place, 'file')
    writeFileSync(file, '')
    return {argv: ['list'], env: {TERMIC_DATA_DIR: file}}
  },
  'socket.path-too-long': ({termic}) => ({
    argv: ['list'],
    env: {TERMIC_DATA_DIR: join(termic.place, 'long'.repeat(25))},
  }),
  'socket.refused'({termic}) {
    const loop = join(termic.place, 'loop')
    symlinkSync(loop, loop)
    return {argv: ['list'], env: {TERMIC_SOCKET: loop}}
  },
}
