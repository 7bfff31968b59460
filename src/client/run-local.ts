import {pathToFileURL} from 'node:url'
import {localEntry} from './places.ts'

/** Runs a plain oclif command (help, daemon, doctor, a plugin's own) in this process; returns its exit code. */
export async function runLocal(argv: string[]): Promise<number> {
  const local = (await import(pathToFileURL(localEntry).href)) as {runLocal(argv: string[]): Promise<number>}
  return local.runLocal(argv)
}
