import {availableParallelism} from 'node:os'

/**
 * How many git processes run at once: two per core (20-tasks.md §4). git is half CPU and half waiting for the disk, and a
 * `list` over 50 tasks would otherwise start 100 of them.
 */
const limit = 2 * availableParallelism()
const waiting: Array<() => void> = []
let running = 0

/**
 * Waits for a free slot, first come first served; the promise gives the function that frees it again.
 * Throws the signal's reason when it aborts first.
 */
export async function takeProcessSlot(signal?: AbortSignal): Promise<() => void> {
  signal?.throwIfAborted()
  if (running < limit) running++
  else await turn(signal)
  let freed = false
  return () => {
    if (freed) return
    freed = true
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** Resolves with the slot handed over by whoever frees one, so `running` stays as it is. */
function turn(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.splice(waiting.indexOf(start), 1)
      reject(signal?.reason)
    }
    waiting.push(start)
    signal?.addEventListener('abort', leave, {once: true})
  })
}
