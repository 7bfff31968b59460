import {execFile} from '../child-process.ts'

const limitMs = 2_000
const maxBytes = 64 * 1024

/** First version number that a program prints for `--version`, or null when it says none in time. */
export function programVersion(path: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  return new Promise(resolve => {
    const options = {
      timeout: limitMs,
      maxBuffer: maxBytes,
      env: {PATH: env.PATH ?? '', HOME: env.HOME ?? '/', LC_ALL: 'C'},
    }
    const child = execFile(path, ['--version'], options, (error, stdout) => {
      resolve(error ? null : (/\d+\.\d+(\.\d+)*/.exec(stdout)?.[0] ?? null))
    })
    // A program that reads its input instead must not wait for ours.
    child.stdin?.end()
  })
}
