import {keepToken} from '../core/daemon/token.ts'
import {fail} from '../core/errors.ts'
import type {Service} from './service.ts'

/** Refuses a call without the right token; the next one may have it. */
export function refuseCaller({paths, token}: Service): never {
  keepToken(paths.cliToken, token)
  return fail('auth.refused', {reason: 'wrong or missing token', tokenFile: paths.cliToken})
}
