import {start} from '../test/fixtures/running.ts'

/** What one process cost, children that it waited for included. */
export interface ProcessCost {
  wallMs: number
  cpuMs: number
}

/** Runs a program once. bash's `time` reads getrusage(2), which Node shows for no child. */
export async function processCost(
  argv: readonly string[],
  {cwd, env}: {cwd: string; env: Record<string, string | undefined>},
): Promise<ProcessCost> {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null'
  const {exit, stderr} = await start('bash', ['-c', script, 'bash', ...argv], {
    cwd,
    env: {...env, LC_ALL: 'C'},
  }).ended
  const [wall, user, system] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (exit !== 0 || system === undefined) throw new Error(`${argv.join(' ')} ended with ${exit}: ${stderr}`)
  return {wallMs: (wall ?? 0) * 1000, cpuMs: ((user ?? 0) + system) * 1000}
}
