import {isUtf8} from 'node:buffer'
import {askedFormat, lookAtArgv} from '../../core/argv/take-globals.ts'
import {withoutWords} from '../../core/argv/without-words.ts'
import {asTermicError, fail, TermicError} from '../../core/errors.ts'
import {fullGrant} from '../../core/grant/grant.ts'
import type {LoadedVerb} from '../../core/registry/loaded-verb.ts'
import {unknownVerb} from '../../core/registry/unknown-verb.ts'
import type {Question, VerbEvent} from '../../core/verb/caller.ts'
import type {Input} from '../../core/verb/check-input.ts'
import {dispatch} from '../../core/verb/dispatch.ts'
import {isNewer} from '../../core/wire/is-newer.ts'
import {refuseCaller} from '../refuse-caller.ts'
import type {Service} from '../service.ts'
import type {ClientSide} from './client-side.ts'
import {Output} from './output.ts'
import {type ParsedArgv, parseArgv, spellingsOf} from './parse-argv.ts'
import {resumeArgv} from './resume-argv.ts'

/**
 * Runs one argv for a client and writes everything it is to see; returns its exit code, or null when another daemon is
 * to answer it.
 */
export async function runArgv(service: Service, client: ClientSide): Promise<number | null> {
  const output = new Output(client, askedFormat(client.argv))
  try {
    return await service.calls.run(client.signal, signal => run(service, {...client, signal}, output))
  } catch (thrown) {
    if (service.calls.isForTheNext(thrown)) return null
    const error = asTermicError(thrown, service.paths.log)
    if (error.code === 'internal')
      service.log.error(`${client.argv[0] ?? ''}: ${(error.cause as Error)?.stack ?? error.message}`)
    await output.error(error)
    return error.exit
  }
}

async function run(service: Service, client: ClientSide, output: Output): Promise<number | null> {
  const {registry} = service
  const {rest, help} = lookAtArgv(client.argv)
  const match = registry.match(rest)
  const local = rest.length === 0 || match?.entry.local === true || (!match && help)
  // What runs in the client needs neither token nor consent.
  if (local) return client.question('local').then(() => 0)
  // After that: `daemon restart` is how a client of any version gets out of this.
  if (isNewer(client.version, service.version)) return client.tellOlder().then(() => null)
  // A client of another make sends no version and is not compared.
  if (client.version !== '' && isNewer(service.version, client.version))
    fail('version.client-older', {client: client.version, daemon: service.version})
  if (!match) return fail('usage.unknown-verb', unknownVerb(registry, rest))

  const verb = (await registry.verb(match.entry.id)) as LoadedVerb
  const argv = withoutWords(client.argv, rest.slice(0, match.taken))
  output.format = askedFormat(argv, spellingsOf(verb))
  const parsed = await parseArgv(verb, argv)
  if (parsed.help || !parsed.input) return client.question('local').then(() => 0)
  // Disabled beats a bad token.
  if (!service.settings.get('cli.enabled') && !verb.command.whileDisabled) fail('cli.disabled')
  if (!client.authorised) refuseCaller(service)
  if (service.isStopping()) return refuseLate(service, client)
  const input = await withStdin(verb, parsed.input, client)
  return call(service, client, output, verb, {...parsed, input, isFromStdin: input !== parsed.input})
}

/** Nothing was begun, so the next daemon may be asked the very same. */
async function refuseLate({calls}: Service, client: ClientSide): Promise<never> {
  if (calls.isReplaced) {
    await client.resume(client.argv)
    throw calls.cut
  }
  return fail('daemon.stopping', {next: 'run the command again in a moment'})
}

async function call(
  service: Service,
  client: ClientSide,
  output: Output,
  verb: LoadedVerb,
  parsed: ParsedArgv & {input: Input; isFromStdin: boolean},
): Promise<number> {
  const {input, isFromStdin} = parsed
  const again = (flags: Record<string, string>) => client.resume(resumeArgv(verb, parsed.withoutText, flags))
  const {readOnlyHint, idempotentHint} = verb.command.annotations
  await output.prepareForLoss(
    new TermicError('daemon.lost', {what: readOnlyHint ? '' : ' before it said whether this was done'}),
  )
  if (readOnlyHint && idempotentHint) await again({})
  else if (actsOnce(verb, parsed.input) && !isFromStdin) await client.resume(client.argv)

  const answer = await dispatch({
    verb,
    input,
    caller: {by: callerOf(client), grant: fullGrant, shell: client.shell},
    core: service.core,
    signal: client.signal,
    emit: async (event: VerbEvent) => {
      if (event.type === 'committed') return again(event.flags)
      await output.event(event)
      // What was printed can't be taken back, so a client that loses the daemon goes on behind it or not at all.
      if (event.type === 'output') await (event.next ? again(event.next) : client.resume([]))
    },
    confirm: question => confirm(client, input, question),
  })
  await output.result(verb.command, answer.result, answer.input)
  return answer.exit
}

/** The caller gave the call an id of its own, by which it may be repeated whatever became of it. */
function actsOnce({parameters}: LoadedVerb, input: Input): boolean {
  return parameters.some(({role, name}) => role === 'idempotencyKey' && input[name] !== undefined)
}

/** A call from inside a pane is its task's. */
function callerOf({shell}: ClientSide): string {
  return shell.env.TERMIC_TASK_ID ? `task:${shell.env.TERMIC_TASK_ID}` : 'cli'
}

/** Asks on the client's terminal; a flag given in argv agrees beforehand. */
async function confirm(client: ClientSide, input: Input, question: Question): Promise<void> {
  if (input[question.flag] === true) return
  const answer = await client.confirm(question.text)
  if (answer === 'yes') return
  if (answer === 'no') fail('confirm.declined')
  if (question.otherwise) fail(question.otherwise.code, question.otherwise.data)
  fail('confirm.no-terminal', {question: question.text, flag: question.flag})
}

/** Free text `-` is stdin to its end, less one final newline. */
async function withStdin(verb: LoadedVerb, input: Input, client: ClientSide): Promise<Input> {
  const asked = verb.parameters.find(({role, name}) => role === 'freeText' && input[name] === '-')
  if (!asked) return input
  await client.question('stdin')
  const bytes = await client.readStdin()
  if (!bytes) fail('input.too-large', {what: 'text on stdin', size: 'over 8 Mi', limit: '8 Mi'})
  if (!isUtf8(bytes)) fail('input.not-text', {what: 'text on stdin'})
  return {...input, [asked.name]: bytes.toString('utf8').replace(/\r?\n$/, '')}
}
