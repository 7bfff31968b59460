import {fail} from '../errors.ts'
import type {LoadedVerb, Parameter} from '../registry/loaded-verb.ts'
import {whyNotValid} from './why-not-valid.ts'

/** Parsed values by the names that the class declares them under. */
export type Input = Record<string, unknown>

/**
 * Checks parsed input against what the verb declares, whatever presentation it came by: values by their schemas,
 * required ones, relations. `spell` writes a parameter as its caller would. Throws `usage.invalid`.
 */
export function checkInput(verb: LoadedVerb, input: Input, spell: (parameter: Parameter) => string): void {
  const invalid = (reason: string): never => fail('usage.invalid', {reason})
  const byName = new Map(verb.parameters.map(parameter => [parameter.name, parameter]))
  const given = (name: string) => isGiven(input[name])
  const spelled = (name: string) => {
    const parameter = byName.get(name)
    return parameter ? spell(parameter) : name
  }

  for (const parameter of verb.parameters) {
    const {name, required, schema, dependsOn, exclusive, exactlyOne} = parameter
    if (exactlyOne.length > 0 && exactlyOne.filter(given).length !== 1) {
      invalid(`exactly one of ${exactlyOne.map(spelled).join(', ')} must be given`)
    }
    if (!given(name)) {
      if (required) invalid(`${spell(parameter)} is missing`)
      continue
    }
    const parsed = schema.safeParse(input[name])
    if (!parsed.success) invalid(`${spell(parameter)}: ${whyNotValid(parsed.error)}`)
    for (const other of dependsOn) if (!given(other)) invalid(`${spell(parameter)} needs ${spelled(other)}`)
    for (const other of exclusive)
      if (given(other)) invalid(`${spell(parameter)} and ${spelled(other)} exclude each other`)
  }
}

/** `false` is the same as leaving a toggle out, and no value the same as leaving a list out. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}
