import type {JournalEntry} from '../pane/types.ts'
import type {AgentSignal, SignalReader} from './types.ts'

/** Where a shell stands. Plain JSON: it is stored with the journal's position. */
export interface ShellMarksState {
  /** A new prompt was begun (A) and is not displayed yet (B); a B without it is the same prompt drawn again. */
  prompted: boolean
  /** From a line's way into the shell until the next prompt; null at the prompt. */
  turn: Turn | null
  /** The command that the next C starts. */
  command?: string
  /** The last delivered turn, to answer for it when it is delivered again. */
  last?: {deliveryId: string; exitCode?: number}
}

interface Turn {
  deliveryId?: string
  started: boolean
  unfinished?: true
  /** The last D. A prompt of several lines may have more than one. */
  ended?: {exitCode: number; at: number; offset: number}
}

interface Step {
  state: ShellMarksState
  signals: AgentSignal[]
}

type Place = Pick<AgentSignal, 'at' | 'offset'>

/**
 * Reads the marks of termic's shell integration (plugins/agents/shell/): OSC 133 A, B, C, D around prompts and commands,
 * 633;E for the command line, and termic's own `633;T;<answer>;<delivery id>` for what became of a delivery. All of
 * them carry the pane's nonce. A turn is over once a new prompt is displayed: a D alone may be one of several lines.
 */
export const shellMarks: SignalReader<ShellMarksState> = {
  initial: {prompted: false, turn: null},

  read(state, entry, {nonce}) {
    if (entry.type === 'start') return {state: shellMarks.initial, signals: []}
    if (entry.type === 'exit') return {state: {...state, turn: null}, signals: [exited(entry)]}
    if (entry.type !== 'osc' || !nonce) return {state, signals: []}
    const fields = entry.text.split(';')
    if (!fields.includes(nonce) && !fields.includes(`n=${nonce}`)) return {state, signals: []}
    const [mark = '', first = '', second = ''] = fields
    if (entry.code === 633 && mark === 'E') return {state: {...state, command: unescaped(first)}, signals: []}
    if (entry.code === 633 && mark === 'T') return answered(state, entry, first, decodedId(second))
    if (entry.code !== 133) return {state, signals: []}
    switch (mark) {
      case 'A':
        return first === 'k=s' ? continued(state, entry) : {state: {...state, prompted: true}, signals: []}
      case 'B':
        return displayed(state, entry)
      case 'C':
        return started(state, entry)
      case 'D':
        return {state: ended(state, entry, Number(first)), signals: []}
      default:
        return {state, signals: []}
    }
  },
}

/** What the shell's delivery key came to. */
function answered(state: ShellMarksState, place: Place, answer: string, deliveryId: string): Step {
  const submitted = signal(place, 'it took the prompt', {type: 'submitted', deliveryId})
  switch (answer) {
    case 'loaded':
      return {state: {...state, prompted: false, turn: {deliveryId, started: false}}, signals: [submitted]}
    case 'draft':
      return {state, signals: [signal(place, 'somebody is typing', {type: 'draft', deliveryId})]}
    case 'invalid': {
      const rejected = signal(place, unparsable, {type: 'rejected', deliveryId, reason: unparsable})
      return {state: {...state, prompted: false, turn: null}, signals: [rejected]}
    }
    case 'duplicate': {
      if (state.turn !== null) return {state, signals: [submitted]}
      // Its turn is over, and the prompt that followed it was announced before.
      const exitCode = state.last?.deliveryId === deliveryId ? state.last.exitCode : undefined
      const over = signal(place, 'it had run this prompt before', {type: 'ended', ...code(exitCode)})
      return {state, signals: [submitted, over, ready(place, exitCode)]}
    }
    default:
      return {state, signals: []}
  }
}

/** PS2. Only a delivered prompt is given up for it: a person goes on typing. */
function continued(state: ShellMarksState, place: Place): Step {
  const {turn} = state
  if (turn?.deliveryId === undefined || turn.unfinished) return {state, signals: []}
  return {
    state: {...state, turn: {...turn, unfinished: true}},
    signals: [signal(place, 'it waits for the rest of the prompt', {type: 'unfinished'})],
  }
}

function started(state: ShellMarksState, place: Place): Step {
  const {command, ...rest} = state
  const {turn} = state
  if (turn?.started) return {state: rest, signals: []}
  return {
    state: {...rest, prompted: false, turn: {...turn, started: true}},
    signals: [
      signal(place, 'a command began', {type: 'started', ...(command === undefined ? {} : {command})}),
    ],
  }
}

function ended(state: ShellMarksState, {at, offset}: Place, exitCode: number): ShellMarksState {
  // Without a turn it is a line that a person gave up or mistyped.
  if (state.turn === null || !Number.isInteger(exitCode)) return state
  return {...state, turn: {...state.turn, ended: {exitCode, at, offset}}}
}

function displayed(state: ShellMarksState, place: Place): Step {
  const {turn} = state
  // A command that began is over at the next prompt in any case: the user may have taken the hooks away meanwhile.
  if (!state.prompted && !turn?.started) return {state, signals: []}
  const exitCode = turn?.ended?.exitCode
  return {
    state: {
      prompted: false,
      turn: null,
      ...(turn?.deliveryId === undefined
        ? state.last && {last: state.last}
        : {last: {deliveryId: turn.deliveryId, ...code(exitCode)}}),
    },
    signals: [...(turn ? [outcome(turn, place)] : []), ready(place, exitCode)],
  }
}

function outcome(turn: Turn, place: Place): AgentSignal {
  const {deliveryId, ended} = turn
  const exitCode = ended?.exitCode
  const hasRun = turn.started || exitCode === 0
  if (deliveryId !== undefined && (turn.unfinished || !hasRun)) {
    const reason = turn.unfinished ? unfinished : unparsable
    return signal(place, reason, {type: 'rejected', deliveryId, reason, ...code(exitCode || undefined)})
  }
  return signal(ended ?? place, 'the command ended', {type: 'ended', ...code(exitCode)})
}

const unparsable = 'the shell could not parse it'
const unfinished = 'it is unfinished: a quote, a bracket or a block was left open'

function ready(place: Place, exitCode: number | undefined): AgentSignal {
  return signal(place, 'the shell is at its prompt', {type: 'ready', ...code(exitCode)})
}

function exited({at, offset, code, signal}: Extract<JournalEntry, {type: 'exit'}>): AgentSignal {
  const evidence = {source: 'process' as const, at, detail: 'the shell ended'}
  return {
    type: 'exited',
    at,
    offset,
    evidence,
    confidence: 'exact',
    code,
    ...(signal === undefined ? {} : {signal}),
  }
}

function code(exitCode: number | undefined): {exitCode?: number} {
  return exitCode === undefined ? {} : {exitCode}
}

type Said<S = AgentSignal> = S extends AgentSignal
  ? Omit<S, 'at' | 'offset' | 'evidence' | 'confidence'>
  : never

function signal({at, offset}: Place, detail: string, said: Said): AgentSignal {
  return {at, offset, evidence: {source: 'osc', at, detail}, confidence: 'exact', ...said}
}

/** The shells write `\`, `;` and control characters of a command line as `\\` and `\xHH`. */
function unescaped(field: string): string {
  return field.replace(/\\(?:x([0-9a-fA-F]{2})|\\)/g, (_, hex?: string) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function decodedId(field: string): string {
  try {
    return decodeURIComponent(field)
  } catch {
    // Not of our making, so it is the id of no delivery either.
    return field
  }
}
