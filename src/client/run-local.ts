import {pathToFileURL} from 'node:url'
import {localEntry} from './places.ts'

/** Runs a plain oclif command (help, daemon, doctor, a plugin's own) in this process; returns its exit code, or `daemon` when it is a verb's after all. */
export async function runLocal(argv: string[]): Promise<number | 'daemon'> {
  const local = (await import(pathToFileURL(localEntry).href)) as {
    runLocal(argv: string[]): Promise<number | 'daemon'>
  }
  return local.runLocal(argv)
}
