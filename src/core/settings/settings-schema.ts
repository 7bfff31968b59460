import * as z from 'zod'

/** Every setting: its type, its default and its documentation, which `termic config list` and the docs show. */
export const settingsSchema = {
  'cli.enabled': z
    .boolean()
    .default(true)
    .describe('whether the command line answers; while false only config, doctor, help, quit and daemon do'),
  tasksPath: z
    .string()
    .min(1)
    .default('~/termic/tasks')
    .describe('directory that holds the worktrees of new tasks; ~ is your home'),
  agent: z.string().min(1).default('shell').describe('agent of a new task that names none'),
  'log.limitBytes': z
    .int()
    .min(1024 * 1024)
    .default(256 * 1024 * 1024)
    .describe('how much of the output of a new pane is kept; the oldest goes first'),
  'limits.livePanes': z
    .int()
    .min(1)
    .default(100)
    .describe('how many terminals may live at once, so that a runaway agent cannot fill the memory'),
  'agents.<id>.command': z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('program and arguments of an agent of your own, which is then used as --agent <id>'),
} as const

type Schema = typeof settingsSchema
/** Keys as they are documented; `<id>` stands for a name that the user chose. */
export type SettingPattern = keyof Schema
export type SettingKey = Exclude<SettingPattern, `${string}<id>${string}`> | `agents.${string}.command`
export type SettingValue<Key extends SettingKey> = Key extends SettingPattern
  ? z.output<Schema[Key]>
  : z.output<Schema['agents.<id>.command']>

/** The pattern that a dotted key is an instance of. */
export function patternOf(key: string): SettingPattern | undefined {
  return patterns.find(pattern => {
    const expected = pattern.split('.')
    const given = key.split('.')
    return expected.length === given.length && expected.every((part, at) => fits(part, given[at] as string))
  })
}

export const patterns = Object.keys(settingsSchema) as SettingPattern[]

function fits(part: string, given: string): boolean {
  return part === '<id>' ? /^[a-z0-9][a-z0-9_-]*$/.test(given) : part === given
}
