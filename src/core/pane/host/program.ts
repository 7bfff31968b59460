import {accessSync, closeSync, constants, openSync, readSync, statSync} from 'node:fs'
import {delimiter, resolve} from 'node:path'

/** What execvp falls back to when PATH is not set (confstr(_CS_PATH)). */
const defaultPath = '/bin:/usr/bin'

/**
 * Why `name` can't be run with this environment and directory, or null when it can. Looked at before the fork, since
 * after it a missing program is only a line in the terminal and exit 1.
 */
export function whyNoProgram(name: string, env: Record<string, string>, cwd: string): string | null {
  if (name === '') return 'no program was named'
  const found = findProgram(name, env, cwd)
  if (found === null) return `${name} was not found${name.includes('/') ? '' : ' in PATH'}`
  if (!isExecutable(found)) return `${found} is not executable`
  const interpreter = interpreterOf(found)
  if (interpreter !== null && !isExecutable(resolve(cwd, interpreter))) {
    return `${found} needs ${interpreter}, which can't be run`
  }
  return null
}

/** The path that execvp would run; when none is executable the first that exists. */
export function findProgram(name: string, env: Record<string, string>, cwd: string): string | null {
  const candidates = name.includes('/')
    ? [resolve(cwd, name)]
    : (env.PATH ?? defaultPath).split(delimiter).map(place => resolve(cwd, place, name))
  return candidates.find(isExecutable) ?? candidates.find(isFile) ?? null
}

/** Why no program can start in `cwd`, or null. */
export function whyNoDirectory(cwd: string): string | null {
  try {
    if (!statSync(cwd).isDirectory()) return `${cwd} is not a directory`
    accessSync(cwd, constants.X_OK)
    return null
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? `${cwd} does not exist` : `${cwd} can't be entered (${code})`
  }
}

function isFile(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isFile() ?? false
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return isFile(path)
  } catch {
    // That is the answer: it is not there, or not ours to run.
    return false
  }
}

/** The program that a script names in its first line: a moved virtual environment leaves scripts whose interpreter is gone. */
function interpreterOf(path: string): string | null {
  const head = Buffer.alloc(256)
  let length = 0
  try {
    const fd = openSync(path, 'r')
    length = readSync(fd, head)
    closeSync(fd)
  } catch {
    // Executable but not readable is fine for a binary, and nothing can be said of a script.
    return null
  }
  return /^#![ \t]*(\S+)/.exec(head.toString('latin1', 0, length))?.[1] ?? null
}
