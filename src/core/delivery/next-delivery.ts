import type {AgentSignal} from '../agent/types.ts'
import {confirmInAllMs, confirmWithinMs, countUpTo, draftRetryMs, patienceMs} from './confirmation-clock.ts'
import {
  agentMoved,
  clockOf,
  type DeliveryEffect,
  type DeliveryPhase,
  type DeliveryStep,
  draftDetail,
  eaten,
  exitedDetail,
  failed,
  inputIdOf,
  interruptOf,
  isBeforeWrite,
  lateDetail,
  phaseOf,
  released,
  same,
  settled,
  silentDetail,
  step,
  unfinishedDetail,
  withProgress,
  writeOf,
} from './delivery-step.ts'
import type {ConfirmationClock, Delivery} from './types.ts'

/** Times are epoch milliseconds. Every signal of a pane goes to every open delivery of it: the table decides whom it concerns. */
export type DeliveryEvent =
  /** It is its turn: stored first, then the effect is carried out. */
  | {type: 'write-begun'}
  /** The host has put the last byte into the terminal. */
  | {type: 'written'; at: number; inputId?: string; offset?: number}
  | AgentSignal
  | {type: 'pane-lost'; at?: number}
  | {type: 'archived'; at?: number}
  | {type: 'cancelled'; at?: number}
  /** Time went by; due at `tickDueAt(delivery)`. The journal is read to its end before. */
  | {type: 'tick'; now: number}

type Event<T extends DeliveryEvent['type']> = Extract<DeliveryEvent, {type: T}>
type Phase = DeliveryPhase

/**
 * The delivery after `event`, and what is to be done about it once that is stored. An event that does not apply gives
 * the very same delivery back. Effects are safe to repeat, since a host writes an input id once.
 */
export function nextDelivery(delivery: Delivery, event: DeliveryEvent): DeliveryStep {
  if (delivery.state === 'settled') return same(delivery)
  if (delivery.state === 'failed') return afterFailure(delivery, event)
  if (delivery.route === 'typed' && delivery.state === 'submitted') return same(delivery)
  if (isForAnother(delivery, event) || isReplay(delivery, event)) return same(delivery)
  const rule = table[event.type] as (delivery: Delivery, event: DeliveryEvent, phase: Phase) => DeliveryStep
  return rule(delivery, event, phaseOf(delivery))
}

/** What a new daemon does again for a delivery that it found in the store, since the old one may have died before. */
export function outstandingEffects(delivery: Delivery): readonly DeliveryEffect[] {
  if (delivery.state === 'settled' || delivery.state === 'failed') return []
  if (delivery.progress?.writing) return [writeOf(delivery)]
  return delivery.progress?.interrupted ? [interruptOf(delivery)] : []
}

const table: {
  [T in DeliveryEvent['type']]: (delivery: Delivery, event: Event<T>, phase: Phase) => DeliveryStep
} = {
  'write-begun'(delivery, _event, phase) {
    if (phase !== 'queued' || delivery.progress?.held) return same(delivery)
    const begun = withProgress(delivery, {
      writing: true,
      clock: {agent: 'prompt', unconfirmedMs: 0, promptMs: 0},
    })
    return step(begun, writeOf(begun))
  },

  written(delivery, event, phase) {
    if (phase !== 'writing') return same(delivery)
    if (event.inputId !== undefined && event.inputId !== inputIdOf(delivery)) return same(delivery)
    const {progress, ...rest} = delivery
    if (delivery.route === 'typed') {
      return step({...rest, state: 'submitted', confirmed: 'no', writtenAt: event.at, submittedAt: event.at})
    }
    const {writing: _, ...kept} = progress ?? {}
    return step({
      ...rest,
      state: 'written',
      writtenAt: event.at,
      progress: {
        ...kept,
        ...(event.offset === undefined ? {} : {writtenOffset: event.offset}),
        clock: {...countUpTo(clockOf(delivery), event.at), promptMs: 0},
      },
    })
  },

  // Accepted from every state before it: a daemon may have died with the acknowledgement, and the agent's word stands.
  submitted(delivery, event, phase) {
    if (phase === 'taken') return same(delivery)
    const {progress: _, detail: __, ...rest} = delivery
    return step({
      ...rest,
      state: 'submitted',
      confirmed: event.confidence === 'exact' ? 'exact' : 'echo',
      writtenAt: delivery.writtenAt ?? event.at,
      submittedAt: event.at,
      progress: {readTo: event.offset},
    })
  },

  started(delivery, event, phase) {
    if (phase !== 'taken') return agentMoved(delivery, event, 'working')
    if (delivery.state === 'started') return same(delivery)
    return step({...withProgress(delivery, {readTo: event.offset}), state: 'started', startedAt: event.at})
  },

  // A prompt of several lines ends several times; the last exit code is the one that counts.
  ended(delivery, event, phase) {
    if (phase !== 'taken') return agentMoved(delivery, event, 'elsewhere')
    if (event.exitCode === undefined) return same(delivery)
    return step({...withProgress(delivery, {readTo: event.offset}), exitCode: event.exitCode})
  },

  ready(delivery, event, phase) {
    if (phase === 'taken') {
      const exitCode = event.exitCode ?? delivery.exitCode
      return delivery.progress?.interrupted
        ? failed(delivery, 'rejected', {at: event.at, detail: unfinishedDetail, exitCode})
        : settled(delivery, event.at, exitCode)
    }
    if (phase === 'queued') return released(delivery)
    if (phase === 'writing' || delivery.progress?.freshPrompt) return agentMoved(delivery, event, 'prompt')
    if (isBeforeWrite(delivery, event)) return same(delivery)
    // Something else may have eaten the key. The next tick tells, see freshPromptGraceMs.
    const clock: ConfirmationClock = {...countUpTo(clockOf(delivery), event.at), agent: 'prompt', promptMs: 0}
    return step(withProgress(delivery, {freshPrompt: true, readTo: event.offset, clock}))
  },

  asking(delivery, event, phase) {
    return phase === 'taken' ? same(delivery) : agentMoved(delivery, event, 'elsewhere')
  },

  // A new attempt number, since the host knows the old one; a person may type for long, so it counts as no failure.
  draft(delivery, event, phase) {
    if (phase === 'queued' || phase === 'taken' || isBeforeWrite(delivery, event)) return same(delivery)
    const {progress, ...rest} = delivery
    const eaten = progress?.eaten === undefined ? {} : {eaten: progress.eaten}
    return step({
      ...rest,
      state: 'queued',
      attempt: delivery.attempt + 1,
      detail: draftDetail,
      progress: {held: true, heldAt: event.at, readTo: event.offset, ...eaten},
    })
  },

  // Without an id it may be a person's own typing error, unless the turn is ours.
  rejected(delivery, event, phase) {
    if (phase === 'queued') return same(delivery)
    if (phase !== 'taken' && event.deliveryId === undefined) return same(delivery)
    const exitCode = event.exitCode ?? delivery.exitCode
    return failed({...delivery, submittedAt: delivery.submittedAt ?? event.at}, 'rejected', {
      at: event.at,
      detail: delivery.progress?.interrupted ? unfinishedDetail : event.reason,
      exitCode,
    })
  },

  unfinished(delivery, event, phase) {
    if (phase !== 'taken') return agentMoved(delivery, event, 'elsewhere')
    if (delivery.progress?.interrupted) return same(delivery)
    const clock: ConfirmationClock = {agent: 'prompt', lookedAt: event.at, unconfirmedMs: 0, promptMs: 0}
    const interrupted = withProgress(delivery, {interrupted: true, readTo: event.offset, clock})
    return step(interrupted, interruptOf(interrupted))
  },

  // What the agent took before is delivered: `exit 3` is a turn that ended with its program.
  exited(delivery, event, phase) {
    const how = event.signal === undefined ? exitedDetail : `${exitedDetail} (${event.signal})`
    if (phase !== 'taken') return failed(delivery, 'agent-exited', {at: event.at, detail: how})
    if (delivery.progress?.interrupted) {
      return failed(delivery, 'rejected', {at: event.at, detail: unfinishedDetail, exitCode: event.code})
    }
    return settled({...delivery, detail: how}, event.at, event.code)
  },

  'pane-lost'(delivery, event) {
    return failed(delivery, 'pane-lost', {at: event.at})
  },

  archived(delivery, event) {
    return failed(delivery, 'archived', {at: event.at})
  },

  // An inbox is emptied and the key then finds nothing; what is being typed can't be called back.
  cancelled(delivery, event, phase) {
    if (phase === 'taken' || (phase === 'writing' && delivery.route === 'typed')) return same(delivery)
    return failed(delivery, 'cancelled', {at: event.at})
  },

  tick(delivery, event, phase) {
    // A person who takes a draft back with the erase key leaves no mark, so it is tried again now and then.
    const {held, heldAt = 0} = delivery.progress ?? {}
    if (held) return event.now >= heldAt + draftRetryMs ? released(delivery) : same(delivery)
    if (delivery.progress?.clock === undefined) return same(delivery)
    const clock = countUpTo(delivery.progress.clock, event.now)
    if (delivery.progress.interrupted) {
      if (clock.promptMs >= confirmWithinMs)
        return failed(delivery, 'rejected', {at: event.now, detail: unfinishedDetail})
    } else if (clock.unconfirmedMs >= confirmInAllMs) {
      return failed(delivery, 'not-confirmed', {at: event.now, detail: silentDetail})
    } else if (phase === 'written' && clock.agent === 'prompt' && clock.promptMs >= patienceMs(delivery)) {
      return eaten(delivery, clock)
    }
    return clock.lookedAt === delivery.progress.clock.lookedAt
      ? same(delivery)
      : step(withProgress(delivery, {clock}))
  },
}

function afterFailure(delivery: Delivery, event: DeliveryEvent): DeliveryStep {
  // It stays failed, since somebody may have acted on that; but nobody shall send it twice without knowing.
  if (event.type !== 'submitted' || event.deliveryId !== delivery.id) return same(delivery)
  if (delivery.submittedAt !== undefined) return same(delivery)
  return step({...delivery, submittedAt: event.at, detail: lateDetail})
}

function isForAnother(delivery: Delivery, event: DeliveryEvent): boolean {
  return 'deliveryId' in event && event.deliveryId !== undefined && event.deliveryId !== delivery.id
}

// The agent's word that it has the prompt and the end of its process are true whenever they are heard.
function isReplay(delivery: Delivery, event: DeliveryEvent): boolean {
  if (!('evidence' in event) || event.type === 'submitted' || event.type === 'exited') return false
  return event.offset < (delivery.progress?.readTo ?? 0)
}
