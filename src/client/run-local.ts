import {pathToFileURL} from 'node:url'
import type {Globals} from '../core/argv/take-globals.ts'
import {localEntry} from './places.ts'

/**
 * Runs a plain oclif command (help, daemon, doctor, a plugin's own) in this process; returns its exit code, or `daemon`
 * when it is a verb's after all.
 */
export async function runLocal(argv: string[]): Promise<number | 'daemon'> {
  return (await local()).runLocal(argv)
}

/** What argv asks for beside its verb; only the verb's own flags tell that from a prompt. */
export async function globalsOf(argv: readonly string[]): Promise<Asked> {
  const mayAsk = argv.some(word => /^--(json|no-launch|output-format)/.test(word))
  return mayAsk ? (await local()).globalsOf(argv) : {format: 'text', noLaunch: false}
}

type Asked = Pick<Globals, 'format' | 'noLaunch'>

interface Local {
  runLocal(argv: string[]): Promise<number | 'daemon'>
  globalsOf(argv: readonly string[]): Promise<Asked>
}

async function local(): Promise<Local> {
  return (await import(pathToFileURL(localEntry).href)) as Local
}
