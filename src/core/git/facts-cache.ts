import {asTermicError} from '../errors.ts'
import type {GitFacts, TaskFacts} from '../task/types.ts'
import {readFacts} from './facts.ts'
import type {GitTask} from './task-place.ts'

type Read<T> = (task: T) => Promise<TaskFacts>

interface Known {
  facts?: GitFacts<TaskFacts>
  /** Reads that began before are too old for whoever asks for an age at all. */
  changedAt?: number
  /** The read that runs now, and when it began. */
  running?: {startedAt: number; done: Promise<GitFacts<TaskFacts>>}
}

/**
 * Facts of git by task, one reading at a time each. Only their age makes facts stale: an edit of a file changes neither
 * HEAD nor the index, so no stamp of those could tell.
 */
export class FactsCache<T extends GitTask & {id: string} = GitTask & {id: string}> {
  readonly #known = new Map<string, Known>()
  readonly #now: () => number
  readonly #read: Read<T>

  /** `now` gives epoch milliseconds. */
  constructor(now: () => number, read: Read<T> = readFacts) {
    this.#now = now
    this.#read = read
  }

  /**
   * Facts that were true `maxAgeMs` ago or later; 0 means that they are read after this call. Failures are facts too, with
   * their age; it never rejects.
   */
  async get(task: T, {maxAgeMs}: {maxAgeMs: number}): Promise<GitFacts<TaskFacts>> {
    const now = this.#now()
    const known = this.#of(task.id)
    const asked = now - maxAgeMs
    const oldest = asked === Number.NEGATIVE_INFINITY ? asked : Math.max(asked, known.changedAt ?? asked)
    // Facts from the future are from before the clock was set back.
    if (known.facts !== undefined && known.facts.checkedAt >= oldest && known.facts.checkedAt <= now)
      return known.facts
    // A read that began too early may have passed the newest edit already; all who wait for it share the next one.
    while (known.running !== undefined && known.running.startedAt < oldest) await known.running.done
    known.running ??= this.#start(task, known)
    return await known.running.done
  }

  /** The agent's work has gone on (its turn ended, say): facts from before are not young enough, whatever their age. */
  markChanged(taskId: string): void {
    const known = this.#known.get(taskId)
    // The next millisecond, since a read that began in this one may have passed the edit.
    if (known) known.changedAt = this.#now() + 1
  }

  /** The facts as last read, however old. */
  last(taskId: string): GitFacts<TaskFacts> | undefined {
    return this.#known.get(taskId)?.facts
  }

  /** Drops a task's facts, when it is archived. */
  forget(taskId: string): void {
    this.#known.delete(taskId)
  }

  #of(taskId: string): Known {
    const known = this.#known.get(taskId) ?? {}
    this.#known.set(taskId, known)
    return known
  }

  #start(task: T, known: Known): {startedAt: number; done: Promise<GitFacts<TaskFacts>>} {
    // Their age counts from the beginning of the read: what was edited during it may be missing.
    const startedAt = this.#now()
    const done = this.#facts(task, startedAt).then(facts => {
      known.facts = facts
      known.running = undefined
      return facts
    })
    return {startedAt, done}
  }

  async #facts(task: T, checkedAt: number): Promise<GitFacts<TaskFacts>> {
    try {
      return {value: await this.#read(task), checkedAt}
    } catch (thrown) {
      const {message, code} = asTermicError(thrown)
      return {error: message, code, checkedAt}
    }
  }
}
