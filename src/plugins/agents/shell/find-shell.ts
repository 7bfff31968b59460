import {userInfo} from 'node:os'
import {basename} from 'node:path'
import {findProgram, whyNoProgram} from '../../../core/pane/host/program.ts'

export type IntegratedShell = 'bash' | 'zsh' | 'fish'

/** What POSIX promises where there is no bash. */
export const plainShell = '/bin/sh'

/** The user's shell, if it has an integration: $SHELL, else the one of the user database, else any bash; null without one. */
export function findShell(env: Record<string, string>): {name: IntegratedShell; path: string} | null {
  for (const candidate of [env.SHELL, loginShell(), 'bash']) {
    const name = basename(candidate ?? '')
    if (candidate === undefined || !isIntegrated(name)) continue
    if (whyNoProgram(candidate, env, '/') !== null) continue
    return {name, path: findProgram(candidate, env, '/') as string}
  }
  return null
}

function isIntegrated(name: string): name is IntegratedShell {
  return name === 'bash' || name === 'zsh' || name === 'fish'
}

function loginShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined
  } catch {
    // A user id without an entry, as in many containers.
    return undefined
  }
}
