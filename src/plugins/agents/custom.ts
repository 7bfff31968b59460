import {exitOnly} from '../../core/agent/exit-only.ts'
import {typedPrompt} from '../../core/agent/typed-prompt.ts'
import type {AgentKind} from '../../core/agent/types.ts'
import {findProgram, whyNoProgram} from '../../core/pane/host/program.ts'

export interface CustomAgent {
  id: string
  /** A program, or a whole argv. It runs as it is, without a shell. */
  command: string | readonly string[]
  args?: readonly string[]
  /** Added to the environment of the pane. */
  env?: Readonly<Record<string, string>>
}

/**
 * A kind of the user's own: any program in a terminal. It gives no sign of being ready or done, so a prompt is typed at
 * once and nothing confirms it.
 */
export function customKind({id, command, args = [], env = {}}: CustomAgent): AgentKind {
  const argv = [...(typeof command === 'string' ? [command] : command), ...args]
  const program = argv[0] ?? ''
  return {
    id,
    summary: `your own: ${argv.join(' ')}`,
    signal: 'none',
    route: 'typed',
    async find(surroundings) {
      const merged = {...surroundings, ...env}
      return whyNoProgram(program, merged, '/') === null ? findProgram(program, merged, '/') : null
    },
    async launch(context) {
      return {argv, env: {...context.env, ...env}}
    },
    async deliver({text}, {bracketedPaste}) {
      return typedPrompt(text, {bracketedPaste})
    },
    interrupt: Buffer.from('\x03'),
    reader: exitOnly,
  }
}
