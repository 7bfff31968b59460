import type {Interfaces} from '@oclif/core'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import * as z from 'zod'
import {parseDuration, spanText} from './duration.ts'
import {fail} from './errors.ts'
import type {Project, Task} from './task/types.ts'
import type {Role, Target} from './verb/verb.ts'

/**
 * Factories of flags and args: ordinary oclif ones that also carry a JSON name, a schema of the parsed value and a role.
 * All casts between oclif's types and ours live here.
 */

type OptionFlag<T> = Interfaces.OptionFlag<T>
type BooleanFlag = Interfaces.BooleanFlag<boolean>
type Arg<T> = Interfaces.Arg<T>

/** oclif hands the flag itself over last. */
type Parse = (value: string, context: unknown, flag: {name: string}) => Promise<unknown>

/** What every factory takes; relations are oclif's. */
interface Common {
  summary: string
  char?: Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase
  dependsOn?: string[]
  exclusive?: string[]
  hidden?: boolean
}

/** A line of text. */
export function text(
  options: Common & {value?: string; key?: string; role?: 'idempotencyKey'},
): OptionFlag<string | undefined> {
  const {key, role, value = 'TEXT'} = options
  return option(options, {key, role, schema: z.string().min(1)}, value)
}

/** Text of any content (a prompt): taken byte-exact, even when it looks like a flag; `-` reads stdin to its end. */
export function freeText(options: Common & {value?: string}): OptionFlag<string | undefined> {
  return option(options, {role: 'freeText', schema: z.string()}, options.value ?? 'TEXT')
}

/** A time span: `90`, `30s`, `5m`, `1h30m`; parsed to milliseconds. */
export function duration(
  options: Common & {key: string; maxMs?: number; role?: 'deadline'},
): OptionFlag<number | undefined> {
  const {maxMs = 30 * 24 * 3_600_000} = options
  const schema = z.int().min(0).max(maxMs)
  const parse: Parse = async (value, _, {name}) => {
    const ms = parseDuration(value, `--${name}`)
    if (ms > maxMs) fail('usage.invalid', {reason: `--${name}: "${value}" is longer than ${spanText(maxMs)}`})
    return ms
  }
  return option(options, {key: options.key, schema, role: options.role}, 'DURATION', parse)
}

/** A whole number within bounds. */
export function integer(
  options: Common & {min: number; max: number; key?: string; role?: 'page'; value?: string},
): OptionFlag<number | undefined> {
  const schema = z.int().min(options.min).max(options.max)
  const parse: Parse = async (value, _, {name}) => {
    if (!/^-?\d+$/.test(value)) fail('usage.invalid', {reason: `--${name}: "${value}" is not a whole number`})
    return Number(value)
  }
  return option(options, {key: options.key, schema, role: options.role}, options.value ?? 'N', parse)
}

/** One of a few words. */
export function choice<const T extends string>(
  options: Common & {options: readonly T[]},
): OptionFlag<T | undefined> {
  const flag = option<T>(options, {schema: z.enum(options.options)}, options.options.join('|'))
  return {...flag, options: options.options} as OptionFlag<T | undefined>
}

/** On or off. */
export function toggle(options: Common & {cliOnly?: true}): BooleanFlag {
  const {cliOnly, ...rest} = options
  return Flags.boolean({...rest, ...role({schema: z.boolean(), role: cliOnly && 'cliOnly'})}) as BooleanFlag
}

/** A file or directory; relative to the caller's directory, absolute in JSON. */
export function path(options: Common): OptionFlag<string | undefined> {
  return option(options, {role: 'path', schema: z.string().min(1)}, 'PATH')
}

export function projectFlag(summary = 'name of the project'): OptionFlag<Project | undefined> {
  return option<Project>(
    {summary},
    {schema: z.string().min(1), target: {kind: 'project', access: 'see'}},
    'NAME',
  )
}

/** Which tab of the task: id, number from 1, or title. */
export function tabSelector(): OptionFlag<string | undefined> {
  return text({summary: 'tab of the task: id, number from 1, or title', value: 'TAB'})
}

/** A task: id, name, or project/name. Without it, the task of the caller's directory, unless `explicit`. */
export function taskArg(options: {access: 'see' | 'act'; explicit?: true}): Arg<Task> {
  const target: Target = {
    kind: 'task',
    access: options.access,
    fallback: options.explicit ? undefined : 'cwd',
  }
  const description = options.explicit
    ? 'id, name or project/name'
    : 'id, name or project/name; default: the task of this directory'
  return argument<Task>(
    description,
    {target, schema: z.string().min(1)},
    {required: options.explicit === true},
  )
}

/** Several tasks; without any, the task of the caller's directory. */
export function tasksArg(options: {access: 'see' | 'act'}): Arg<Task[]> {
  const target: Target = {kind: 'task', access: options.access, fallback: 'cwd'}
  const schema = z.array(z.string().min(1)).min(1).max(100)
  return argument<Task[]>(
    'ids, names or project/name; default: the task of this directory',
    {target, schema, key: 'tasks'},
    {multiple: true},
  )
}

export function projectArg(options: {access: 'see' | 'act'}): Arg<Project> {
  return argument<Project>(
    'name of the project',
    {target: {kind: 'project', access: options.access}, schema: z.string().min(1)},
    {required: true},
  )
}

export function textArg<const R extends boolean = false>(
  description: string,
  options: {required?: R; role?: 'path'; key?: string} = {},
) {
  type Value = R extends true ? string : string | undefined
  return argument<Value>(
    description,
    {schema: z.string().min(1), role: options.role, key: options.key},
    {required: options.required === true},
  )
}

export function roleOf(flagOrArg: unknown): Role {
  return (flagOrArg as {termic?: Role}).termic ?? {}
}

function option<T>(
  {summary, char, dependsOn, exclusive, hidden}: Common,
  carried: Role,
  helpValue: string,
  parse?: Parse,
): OptionFlag<T | undefined> {
  const flag = Flags.string({
    summary,
    char,
    dependsOn,
    exclusive,
    hidden,
    helpValue,
    ...(parse && {parse: parse as never}),
  })
  return {...flag, ...role(carried)} as unknown as OptionFlag<T | undefined>
}

function argument<T>(
  description: string,
  carried: Role,
  more: {required?: boolean; multiple?: boolean},
): Arg<T> {
  // ignoreStdin: oclif would read a missing argument from stdin (`echo x | termic archive` archived x).
  const {required = false, multiple = false} = more
  const arg = multiple
    ? Args.string({description, required, multiple: true, ignoreStdin: true})
    : Args.string({description, required, ignoreStdin: true})
  return {...arg, ...role(carried)} as unknown as Arg<T>
}

function role(carried: Role): {termic: Role} {
  return {
    termic: Object.fromEntries(Object.entries(carried).filter(([, value]) => value !== undefined)) as Role,
  }
}
