import type {AgentSignal, AgentState, Evidence} from './types.ts'
import {evidenceSources} from './types.ts'

/**
 * The state after `signal`; the very same object when it changes nothing. A lower source never overrides a fresher
 * higher one (40-agents.md §2), and what has exited stays so.
 */
export function nextState(state: AgentState, signal: AgentSignal): AgentState {
  if (state.name === 'exited') return state
  // Its host is gone; what the journal still says of the program's end is all that can be known.
  if (state.name === 'lost' && signal.type !== 'exited') return state
  if (signal.type !== 'exited' && !mayOverride(state, signal.evidence)) return state
  const change = changes[signal.type] as (state: AgentState, signal: AgentSignal) => Change | null
  const next = change(state, signal)
  return next === null ? state : enter(state, next, signal)
}

type Change = Pick<AgentState, 'name' | 'waitingFor' | 'exitCode' | 'delivered'>
type Signal<T extends AgentSignal['type']> = Extract<AgentSignal, {type: T}>

const changes: {[T in AgentSignal['type']]: (state: AgentState, signal: Signal<T>) => Change | null} = {
  // A second prompt without a turn between them does not make `done` idle.
  ready(state, {exitCode = state.exitCode}) {
    const name = state.delivered || state.name === 'done' ? 'done' : 'idle'
    return {name, exitCode}
  },
  submitted: () => ({name: 'working', delivered: true}),
  started: state => ({name: 'working', delivered: state.delivered}),
  // It takes no prompt before the `ready` that follows.
  ended: (state, {exitCode}) =>
    isInTurn(state) ? {name: 'working', delivered: state.delivered, exitCode} : null,
  asking: (state, signal) => ({name: 'waiting', waitingFor: signal.for, delivered: state.delivered}),
  // The agent stands where it stood.
  draft: () => null,
  rejected: (state, {deliveryId, exitCode}) =>
    deliveryId === undefined && !state.delivered ? null : {name: 'working', delivered: true, exitCode},
  unfinished: () => null,
  exited: (_, {code}) => ({name: 'exited', exitCode: code}),
}

function enter(state: AgentState, change: Change, {at, evidence, confidence}: AgentSignal): AgentState {
  const isSame = change.name === state.name && change.waitingFor === state.waitingFor
  const {name, waitingFor, exitCode, delivered} = change
  return {
    name,
    since: isSame ? state.since : at,
    evidence,
    confidence,
    ...(waitingFor === undefined ? {} : {waitingFor}),
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(delivered ? {delivered} : {}),
  }
}

function mayOverride(state: AgentState, evidence: Evidence): boolean {
  const isLower = rank(evidence) > rank(state.evidence)
  // Silence says nothing about work or a question that the agent itself has told of: its child may be compiling.
  if (isLower && evidence.source === 'quiet' && isInTurn(state) && state.evidence.source !== 'screen')
    return false
  return !(isLower && state.evidence.at >= evidence.at)
}

function isInTurn({name}: AgentState): boolean {
  return name === 'working' || name === 'waiting'
}

function rank({source}: Evidence): number {
  return evidenceSources.indexOf(source)
}
