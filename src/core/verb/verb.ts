import type {Interfaces} from '@oclif/core'
import {Command} from '@oclif/core/command'
import type * as z from 'zod'
import type {Core} from '../core.ts'
import type {Caller, Question, VerbEvent} from './caller.ts'

/** The four MCP hints, all stated on every verb; a verb that leaves them out counts as the dangerous values. */
export type Annotations = Record<
  'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint',
  boolean
>

/** What our flag factories add to an oclif flag or arg; read by the dispatcher and the presentations only. */
export interface Role {
  /** JSON name (default: camelCase of the flag). Its JSON value is the parsed value: `--timeout 5m` is `timeoutMs: 300000`. */
  key?: string
  /** Of the parsed value; plain oclif flags are mapped by their kind. */
  schema?: z.ZodType
  /** freeText: cut from argv before parsing, `-` is stdin · deadline: MCP clamps it · page: MCP has a default · cliOnly: no JSON argument · path: relative to the caller's directory · idempotencyKey: the same call with the same value acts once. */
  role?: 'freeText' | 'deadline' | 'page' | 'cliOnly' | 'path' | 'idempotencyKey'
  target?: Target
}

/** An argument that names something of termic's: resolved and authorised before the handler runs, which then gets the thing itself. */
export interface Target {
  kind: 'project' | 'task' | 'tab' | 'pane'
  access: 'see' | 'act'
  /** Where it is left out: the task that the caller's directory (or pane) belongs to. */
  fallback?: 'cwd'
}

export interface Context {
  readonly caller: Caller
  /** Services narrowed to the caller's grant: what is foreign does not exist. */
  readonly core: Core
  /** The caller stopped watching: ends waits, never undoes work. */
  readonly signal: AbortSignal
  /** Resolves when the presentation took the event (backpressure). */
  emit(event: VerbEvent): Promise<void>
  /** Returns when the answer is yes, else throws; asked only before the first effect. */
  confirm(question: Question): Promise<void>
}

/** What only a CLI client can do with a result; others ignore it. */
export type Handover = {attach: string; readOnly?: boolean} | {browse: string} | {pager: true}

/** Text that is no line of ours (a patch, a program's output) and is printed to the byte. */
export type Exact = {exact: string}

/** Where text is shown; `now` is epoch milliseconds. */
export interface View {
  columns: number
  color: boolean
  now: number
}

/**
 * A verb: its statics are the only description of it, and CLI, socket, MCP, help and completion are made from them.
 * The class is never instantiated: `handle` runs in the daemon.
 */
export abstract class Verb extends Command {
  /** Tested instead of `instanceof`, since a plugin may bring its own copy of this class. */
  static readonly brand: symbol = Symbol.for('termic.verb/1')
  static scope: 'full' | 'scoped' = 'full'
  static annotations: Annotations = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  }
  /** Exit codes beyond the common ones. */
  static exits: readonly number[] = []
  /** MCP name where it differs from the file's place, or why it is no tool. */
  static mcp?: string | {excluded: string}
  /** Answers even while `cli.enabled` is false. */
  static whileDisabled = false
  /** A getter in every verb: oclif would serialise a zod field into its manifest. */
  static get result(): z.ZodType {
    throw new Error(`${this.name} declares no result`)
  }
  static handle(_context: Context, _input: never): Promise<unknown> {
    throw new Error(`${this.name} has no handler`)
  }
  /** Exit code of a result; outcomes (3, 7, 9, 10) are results, only `fail()` is an error. */
  static exit(_result: never): number {
    return 0
  }
  static handover(_result: never, _input: never): Handover | undefined {
    return undefined
  }
  /** Text for people, without the final newline, or what is printed as it is; an empty text prints nothing. */
  static render(_result: never, _view: View, _input: never): string | Exact {
    return ''
  }

  override async run(): Promise<void> {
    throw new Error('verbs run in the daemon')
  }
}

export type VerbClass = Omit<typeof Verb, 'prototype' | 'handle' | 'exit' | 'render' | 'handover'> & {
  handle(context: Context, input: unknown): Promise<unknown>
  exit(result: unknown): number
  handover(result: unknown, input: unknown): Handover | undefined
  render(result: unknown, view: View, input: unknown): string | Exact
}

/** True for a command that runs in the daemon; every other oclif command runs in the client. */
export function isVerb(command: unknown): command is VerbClass {
  return typeof command === 'function' && (command as {brand?: symbol}).brand === Symbol.for('termic.verb/1')
}

/** What a handler gets: oclif infers it from the declared flags and args, so that nothing is declared twice. */
export type VerbInput<T extends {flags?: unknown; args?: unknown}> = Interfaces.InferredFlags<T['flags']> &
  Interfaces.InferredArgs<T['args']>
