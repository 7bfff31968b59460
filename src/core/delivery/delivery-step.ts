import type {AgentSignal} from '../agent/types.ts'
import {countUpTo} from './confirmation-clock.ts'
import type {ConfirmationClock, Delivery, DeliveryFailure, DeliveryProgress} from './types.ts'

/** Attempts that something else may eat before termic gives up (40-agents.md §3). */
export const attemptsAtMost = 3

export const draftDetail = 'a person is typing'
export const exitedDetail = 'the agent exited'
export const unfinishedDetail = 'it is unfinished: a quote, a bracket or a block was left open'
export const rewrittenDetail = 'written again, since something else took the key'
export const silentDetail = 'the agent gave no answer in 90 s'
export const eatenDetail = `written ${attemptsAtMost} times, and something else took it each time`
export const lateDetail = 'the agent took it after all, when termic had given it up'

export type DeliveryEffect =
  | {type: 'write'; inputId: string; attempt: number}
  /** Ctrl-C, to give up an unfinished prompt. */
  | {type: 'interrupt'; inputId: string}

export interface DeliveryStep {
  delivery: Delivery
  effects: readonly DeliveryEffect[]
}

/** Where a delivery stands, seen from the queue: `taken` means that the agent has it. */
export type DeliveryPhase = 'queued' | 'writing' | 'written' | 'taken'

export function phaseOf(delivery: Delivery): DeliveryPhase {
  if (delivery.state === 'queued') return delivery.progress?.writing ? 'writing' : 'queued'
  return delivery.state === 'written' ? 'written' : 'taken'
}

/** The host's name for one attempt. The agent's side knows the delivery alone, and takes it once. */
export function inputIdOf(delivery: Delivery): string {
  return `${delivery.id}.${delivery.attempt}`
}

export function writeOf(delivery: Delivery): DeliveryEffect {
  return {type: 'write', inputId: inputIdOf(delivery), attempt: delivery.attempt}
}

export function interruptOf(delivery: Delivery): DeliveryEffect {
  return {type: 'interrupt', inputId: `${inputIdOf(delivery)}.interrupt`}
}

export function same(delivery: Delivery): DeliveryStep {
  return {delivery, effects: []}
}

export function step(delivery: Delivery, ...effects: DeliveryEffect[]): DeliveryStep {
  return {delivery, effects}
}

export function withProgress(delivery: Delivery, progress: DeliveryProgress): Delivery {
  return {...delivery, progress: {...delivery.progress, ...progress}}
}

export function clockOf(delivery: Delivery): ConfirmationClock {
  return delivery.progress?.clock ?? {agent: 'prompt', unconfirmedMs: 0, promptMs: 0}
}

export function settled(delivery: Delivery, at: number, exitCode?: number): DeliveryStep {
  const {progress: _, ...rest} = delivery
  return step({...rest, state: 'settled', settledAt: at, ...(exitCode === undefined ? {} : {exitCode})})
}

export function failed(
  delivery: Delivery,
  reason: DeliveryFailure,
  end: {at?: number; detail?: string; exitCode?: number} = {},
): DeliveryStep {
  const {progress: _, detail: __, ...rest} = delivery
  return step({
    ...rest,
    state: 'failed',
    reason,
    ...(end.detail === undefined ? {} : {detail: end.detail}),
    ...(end.exitCode === undefined ? {} : {exitCode: end.exitCode}),
    ...(end.at === undefined ? {} : {settledAt: end.at}),
  })
}

/** Something else took the key: the next attempt, or the end of patience. */
export function eaten(delivery: Delivery, clock: ConfirmationClock): DeliveryStep {
  const count = (delivery.progress?.eaten ?? 0) + 1
  if (count >= attemptsAtMost)
    return failed(delivery, 'not-confirmed', {at: clock.lookedAt, detail: eatenDetail})
  const {freshPrompt: _, writtenOffset: __, ...kept} = delivery.progress ?? {}
  const again: Delivery = {
    ...delivery,
    state: 'queued',
    attempt: delivery.attempt + 1,
    detail: rewrittenDetail,
    progress: {...kept, writing: true, eaten: count, clock: {...clock, promptMs: 0}},
  }
  return step(again, writeOf(again))
}

/** What the agent does while a prompt of ours is on its way: it moves the clock and nothing else. */
export function agentMoved(
  delivery: Delivery,
  signal: AgentSignal,
  agent: ConfirmationClock['agent'],
): DeliveryStep {
  if (phaseOf(delivery) === 'queued') return same(delivery)
  const clock = {...countUpTo(clockOf(delivery), signal.at), agent}
  return step(withProgress(delivery, {readTo: signal.offset, clock}))
}

/** A prompt that met a draft may go again once the agent shows a fresh prompt. */
export function released(delivery: Delivery): DeliveryStep {
  if (!delivery.progress?.held) return same(delivery)
  const {held: _, heldAt: ___, ...kept} = delivery.progress
  const {detail: __, ...rest} = delivery
  return step({...rest, progress: kept})
}

/** Output from before the key was in the terminal is no answer to it. Offsets decide, since a chunk's entries share `at`. */
export function isBeforeWrite(delivery: Delivery, signal: AgentSignal): boolean {
  if (delivery.state !== 'written') return false
  const offset = delivery.progress?.writtenOffset
  if (offset !== undefined && signal.offset !== offset) return signal.offset < offset
  return signal.at < (delivery.writtenAt ?? 0)
}
