import * as z from 'zod'
import type {LoadedVerb} from './loaded-verb.ts'

export type JsonSchema = Record<string, unknown>

/** JSON Schema of a verb's JSON input, made from its flags and args: what the socket takes and MCP publishes. */
export function inputSchema(verb: LoadedVerb): JsonSchema {
  const open = verb.parameters.filter(parameter => parameter.role !== 'cliOnly')
  const properties = Object.fromEntries(
    open.map(parameter => [
      parameter.key,
      {...schemaOf(parameter.schema, 'input'), description: parameter.summary},
    ]),
  )
  const required = open.filter(parameter => parameter.required).map(parameter => parameter.key)
  return {type: 'object', properties, ...(required.length > 0 && {required}), additionalProperties: false}
}

/** JSON Schema of a verb's result. It closes no object, since results only ever grow. */
export function resultSchema(verb: LoadedVerb): JsonSchema {
  return JSON.parse(JSON.stringify(schemaOf(verb.command.result, 'output')), (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  ) as JsonSchema
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const {$schema: _, ...json} = z.toJSONSchema(schema, {io, unrepresentable: 'any'})
  // z.int() without bounds says ±2^53, which tells a reader nothing.
  return JSON.parse(JSON.stringify(json), (key, value) =>
    (key === 'maximum' || key === 'minimum') && Math.abs(value) === Number.MAX_SAFE_INTEGER
      ? undefined
      : value,
  ) as JsonSchema
}
