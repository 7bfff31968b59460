import {closeSync, readdirSync, readFileSync} from 'node:fs'

/**
 * Closes what this process was handed by whoever started it (a lock, a log, a pipe of a shell), but the standard streams
 * and `kept`: a lock that a script holds must not be held for the daemon's life, and a program in a pane gets its terminal
 * and nothing else. Node opens all of its own descriptors with O_CLOEXEC and sets that flag on inherited ones only up to
 * the first gap above 15 (libuv, uv_disable_stdio_inheritance).
 */
export function closeInherited(kept: readonly number[] = []): void {
  const closeOnExec = 0o2000000
  let names: string[]
  try {
    names = readdirSync('/proc/self/fd')
  } catch {
    // No /proc: libuv's own pass must do.
    return
  }
  for (const fd of names.map(Number).filter(fd => fd > 2 && !kept.includes(fd))) {
    try {
      const flags = /flags:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1]
      if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(fd)
    } catch {
      // The descriptor of this very listing, closed meanwhile.
    }
  }
}
