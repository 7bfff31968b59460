import {pathToFileURL} from 'node:url'
import {localEntry} from './places.ts'

/**
 * Runs a plain oclif command (help, daemon, doctor, a plugin's own) in this process; returns its exit code, or `daemon`
 * when it is a verb's after all.
 */
export async function runLocal(argv: string[]): Promise<number | 'daemon'> {
  return (await local()).runLocal(argv)
}

/** Whether argv says --no-launch, wherever; only the verb's own flags tell it from a prompt. */
export async function asksNoLaunch(argv: readonly string[]): Promise<boolean> {
  return argv.includes('--no-launch') && (await local()).asksNoLaunch(argv)
}

interface Local {
  runLocal(argv: string[]): Promise<number | 'daemon'>
  asksNoLaunch(argv: readonly string[]): Promise<boolean>
}

async function local(): Promise<Local> {
  return (await import(pathToFileURL(localEntry).href)) as Local
}
