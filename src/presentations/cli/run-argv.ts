import {asTermicError, fail, TermicError} from '../../core/errors.ts'
import {fullGrant} from '../../core/grant/grant.ts'
import {verbHelp} from '../../core/help/verb-help.ts'
import type {LoadedVerb} from '../../core/registry/loaded-verb.ts'
import type {Registry} from '../../core/registry/registry.ts'
import {nearest} from '../../core/text/nearest.ts'
import type {Question, VerbEvent} from '../../core/verb/caller.ts'
import type {Input} from '../../core/verb/check-input.ts'
import {dispatch} from '../../core/verb/dispatch.ts'
import {isNewer} from '../../core/wire/is-newer.ts'
import type {Service} from '../service.ts'
import type {ClientSide} from './client-side.ts'
import {Output} from './output.ts'
import {type OutputFormat, takeGlobals} from './output-format.ts'
import {type ParsedArgv, parseArgv} from './parse-argv.ts'

/**
 * Runs one argv for a client and writes everything it is to see; returns its exit code, or null when another daemon will
 * answer it.
 */
export async function runArgv(service: Service, client: ClientSide): Promise<number | null> {
  const output = new Output(client, formatOf(client.argv))
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

async function run(service: Service, client: ClientSide, output: Output): Promise<number> {
  const {registry} = service
  // A client of another make sends no version and is not compared.
  if (client.version !== '' && isNewer(service.version, client.version))
    fail('version.client-older', {client: client.version, daemon: service.version})
  const {rest} = takeGlobals(client.argv)
  const match = registry.match(rest)
  const local = rest.length === 0 || match?.entry.local === true
  // Disabled beats a bad token; what runs in the client needs neither.
  if (local) return client.question('local').then(() => 0)
  if (!match) return fail('usage.unknown-verb', unknownVerb(registry, rest))

  const verb = (await registry.verb(match.entry.id)) as LoadedVerb
  const parsed = await parseArgv(verb, withoutWords(client.argv, rest.slice(0, match.taken)))
  output.format = parsed.format
  if (parsed.help || !parsed.input) {
    await client.stdout(`${verbHelp(verb)}\n`)
    return 0
  }
  if (!service.settings.get('cli.enabled') && !verb.command.whileDisabled) fail('cli.disabled')
  if (!client.authorised)
    fail('auth.refused', {reason: 'wrong or missing token', tokenFile: service.paths.cliToken})
  if (service.isStopping()) return refuseLate(service, client)
  return call(service, client, output, verb, {...parsed, input: await withStdin(verb, parsed.input, client)})
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
  parsed: ParsedArgv & {input: Input},
): Promise<number> {
  const {input} = parsed
  const words = verb.id.split('.')
  const again = (flags: Record<string, string>) => [
    ...words,
    ...parsed.withoutText,
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
  ]
  const {readOnlyHint, idempotentHint} = verb.command.annotations
  await output.prepareForLoss(
    new TermicError('daemon.lost', {what: readOnlyHint ? '' : ' before it said whether this was done'}),
  )
  if (readOnlyHint && idempotentHint) await client.resume([...words, ...parsed.withoutText])

  const answer = await dispatch({
    verb,
    input,
    caller: {by: callerOf(client), grant: fullGrant, shell: client.shell},
    core: service.core,
    signal: client.signal,
    emit: async (event: VerbEvent) => {
      if (event.type === 'committed') await client.resume(again(event.flags))
      else await output.event(event)
    },
    confirm: question => confirm(client, input, question),
  })
  await output.result(verb.command, answer.result, answer.input)
  return answer.exit
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
  return {...input, [asked.name]: bytes.toString('utf8').replace(/\r?\n$/, '')}
}

/** argv without the verb's own words, wherever global flags stood between them. */
function withoutWords(argv: readonly string[], words: readonly string[]): string[] {
  const rest = [...argv]
  for (const word of words) rest.splice(rest.indexOf(word), 1)
  return rest
}

function formatOf(argv: readonly string[]): OutputFormat {
  try {
    return takeGlobals(argv).format
  } catch {
    // Wrong in itself: said below, as text.
    return 'text'
  }
}

function unknownVerb(registry: Registry, rest: readonly string[]): {verb: string; hint: string} {
  const verb = rest[0] ?? ''
  const below = registry.below(verb)
  if (below.length > 0) return {verb: rest.slice(0, 2).join(' '), hint: ` (${verb} has ${below.join(', ')})`}
  const near = nearest(verb, registry.topics())
  return {verb, hint: near ? ` (did you mean ${near}?)` : ''}
}
