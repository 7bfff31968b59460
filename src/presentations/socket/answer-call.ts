import {sameToken} from '../../core/daemon/token.ts'
import {fail} from '../../core/errors.ts'
import {fullGrant} from '../../core/grant/grant.ts'
import type {Question, VerbEvent} from '../../core/verb/caller.ts'
import {dispatch} from '../../core/verb/dispatch.ts'
import {jsonInput} from '../../core/verb/json-input.ts'
import {refuseCaller} from '../refuse-caller.ts'
import type {Service} from '../service.ts'
import {control} from './control.ts'
import type {Request} from './request.ts'

export interface Wire {
  signal: AbortSignal
  emit(event: VerbEvent): Promise<void>
}

/** The order of checks: hello needs nothing · disabled beats a bad token · token · verb. */
export async function answerCall(
  service: Service,
  {method, params, token}: Request,
  wire: Wire,
): Promise<unknown> {
  if (method === 'hello')
    return {version: service.version, protocol: 1, cliEnabled: service.settings.get('cli.enabled')}

  const lever = Object.hasOwn(control, method) ? control[method] : undefined
  const verb = lever ? undefined : await service.registry.verb(method)
  const works = lever !== undefined || verb?.command.whileDisabled === true
  if (!works && !service.settings.get('cli.enabled')) fail('cli.disabled')
  if (!sameToken(token ?? '', service.token)) refuseCaller(service)
  if (lever) return lever(service, params)
  if (!verb) fail('usage.unknown-verb', {verb: method})
  if (service.isStopping()) fail('daemon.stopping', {next: 'call it again in a moment'})

  const {result} = await dispatch({
    verb,
    input: jsonInput(verb, params),
    caller: {by: 'cli', grant: fullGrant},
    core: service.core,
    signal: wire.signal,
    emit: wire.emit,
    confirm,
  })
  return result
}

/** A full grant consents for itself; what only a person may answer needs the CLI. */
async function confirm({consent, text, flag, otherwise}: Question): Promise<void> {
  if (consent === 'grant') return
  if (otherwise) fail(otherwise.code, otherwise.data)
  fail('confirm.no-terminal', {question: text, flag})
}
