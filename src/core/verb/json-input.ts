import {fail} from '../errors.ts'
import type {LoadedVerb, Parameter} from '../registry/loaded-verb.ts'
import {checkInput, type Input} from './check-input.ts'

/** JSON params (socket, MCP) as a verb's input; unknown and CLI-only names are refused. Throws `usage.invalid`. */
export function jsonInput(verb: LoadedVerb, params: unknown): Input {
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) {
    fail('usage.invalid', {reason: `the params of ${verb.id} must be one JSON object`})
  }
  const byKey = new Map(verb.parameters.filter(open).map(parameter => [parameter.key, parameter]))
  const input: Input = {}
  for (const [key, value] of Object.entries(params ?? {})) {
    const parameter = byKey.get(key)
    if (!parameter)
      fail('usage.invalid', {
        reason: `${verb.id} has no argument "${key}"; it has ${[...byKey.keys()].join(', ') || 'none'}`,
      })
    if (value !== null && value !== undefined) input[parameter.name] = value
  }
  checkInput(verb, input, parameter => `"${parameter.key}"`)
  return input
}

function open(parameter: Parameter): boolean {
  return parameter.role !== 'cliOnly'
}
