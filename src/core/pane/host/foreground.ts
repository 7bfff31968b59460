import {readFileSync, readlinkSync} from 'node:fs'
import {readProcStat} from '../proc-stat.ts'
import type {HostAnswers} from '../types.ts'

const maxCommandLength = 300

/** What the terminal is used for right now, from /proc; nothing where there is none. */
export function foregroundOf(
  programPid: number,
): Pick<HostAnswers['status'], 'foreground' | 'atPrompt' | 'cwd'> {
  const program = readProcStat(programPid)
  if (program === null) return {}
  const atPrompt = program.foregroundGroup === program.group
  const cwd = tryRead(() => readlinkSync(`/proc/${programPid}/cwd`))
  const group = program.foregroundGroup
  const command = group > 0 ? tryRead(() => readFileSync(`/proc/${group}/cmdline`, 'utf8')) : undefined
  return {
    atPrompt,
    ...(cwd === undefined ? {} : {cwd}),
    ...(command === undefined
      ? {}
      : {foreground: {pid: group, command: command.replaceAll('\0', ' ').trim().slice(0, maxCommandLength)}}),
  }
}

function tryRead(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    // It ended between two looks.
    return undefined
  }
}
