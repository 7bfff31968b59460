import * as z from 'zod'
import {roleOf} from '../flags.ts'
import type {Role, VerbClass} from '../verb/verb.ts'
import {isVerb} from '../verb/verb.ts'
import type {Entry} from './entry.ts'

/** One flag or argument of a verb, the same for every presentation. */
export interface Parameter {
  /** Name in the class (`delivery-id`), which is the handler's key. */
  name: string
  /** Name in JSON (`deliveryId`). */
  key: string
  isArg: boolean
  required: boolean
  multiple: boolean
  isBoolean: boolean
  summary: string
  /** Of the parsed value, before a target is resolved. */
  schema: z.ZodType
  role?: Role['role']
  target?: Role['target']
  dependsOn: readonly string[]
  exclusive: readonly string[]
  exactlyOne: readonly string[]
}

export interface LoadedVerb {
  entry: Entry
  id: string
  command: VerbClass
  parameters: readonly Parameter[]
  /** MCP tool name, or why it is none. */
  mcp: string | {excluded: string}
}

interface Declared {
  type?: 'boolean' | 'option'
  char?: string
  summary?: string
  description?: string
  required?: boolean
  multiple?: boolean
  options?: readonly string[]
  min?: number
  max?: number
  dependsOn?: string[]
  exclusive?: string[]
  exactlyOne?: string[]
}

/** Reads a verb's class; throws when the module is no verb. */
export function loadedVerb(entry: Entry, command: unknown): LoadedVerb {
  if (!isVerb(command)) throw new Error(`${entry.file} is no verb`)
  const args = Object.entries(command.args ?? {}).map(([name, arg]) => parameter(name, arg as Declared, true))
  const flags = Object.entries(command.flags ?? {}).map(([name, flag]) =>
    parameter(name, flag as Declared, false),
  )
  return {
    entry,
    id: entry.id,
    command,
    parameters: [...args, ...flags],
    mcp: command.mcp ?? entry.id.replaceAll('.', '_').replaceAll('-', '_'),
  }
}

function parameter(name: string, declared: Declared, isArg: boolean): Parameter {
  const role = roleOf(declared)
  return {
    name,
    key: role.key ?? camelCase(name),
    isArg,
    required: declared.required === true,
    multiple: declared.multiple === true,
    isBoolean: declared.type === 'boolean',
    summary: declared.summary ?? declared.description ?? '',
    schema: role.schema ?? plainSchema(declared),
    role: role.role,
    target: role.target,
    dependsOn: declared.dependsOn ?? [],
    exclusive: declared.exclusive ?? [],
    exactlyOne: declared.exactlyOne ?? [],
  }
}

/** Plain oclif flags by their kind, so that a third-party verb needs none of our factories. */
function plainSchema(declared: Declared): z.ZodType {
  const one =
    declared.type === 'boolean'
      ? z.boolean()
      : declared.options
        ? z.enum(declared.options)
        : z.union([z.string(), z.int()])
  return declared.multiple ? z.array(one) : one
}

export function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
