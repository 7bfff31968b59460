import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {execFile} from '../child-process.ts'
import {findProgram} from './host/program.ts'

/** What systemd-run needs of the environment to find the user's manager. */
export const scopeVariables = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const

/** A manager that is slower than this is treated as none, since every new pane would wait for it. */
const probeMs = 2_000

/**
 * The words to put before a pane host's command so that it gets a systemd scope of its own; none where no user manager
 * answers. Without a scope, stopping the unit or session that the daemon was started in ends the hosts with it
 * (reports of tasks killed at logout: pueue#511).
 */
export async function hostScope(env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const {XDG_RUNTIME_DIR: runtimeDir, PATH} = env
  if (!runtimeDir || !existsSync(join(runtimeDir, 'systemd/private'))) return []
  const systemdRun = findProgram('systemd-run', PATH === undefined ? {} : {PATH}, '/')
  if (systemdRun === null) return []
  // --scope registers the calling process and then becomes the command: stdin, stdout and pid stay as they are.
  const words = [systemdRun, '--user', '--scope', '--quiet', '--collect', '--']
  const answers = await new Promise<boolean>(resolve => {
    execFile(words[0] as string, [...words.slice(1), 'true'], {timeout: probeMs, env}, error =>
      resolve(error === null),
    )
  })
  return answers ? words : []
}
