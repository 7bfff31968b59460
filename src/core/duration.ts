import {fail} from './errors.ts'

const unitMs = {h: 3_600_000, m: 60_000, s: 1_000} as const

/** `90`, `30s`, `5m`, `1h30m` as milliseconds; anything else is `usage.invalid`, told of `what` (a flag). */
export function parseDuration(value: string, what: string): number {
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(value)
  if (value === '' || !parts)
    fail('usage.invalid', {reason: `${what}: "${value}" is not a duration; write 90, 30s, 5m or 1h30m`})
  const [, h = '0', m = '0', s = '0'] = parts
  return Number(h) * unitMs.h + Number(m) * unitMs.m + Number(s) * unitMs.s
}

/** A time span as a person says it: `3 s`, `5 min`, `2 h`, `4 d`. */
export function spanText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.round(s / 60)} min`
  if (s < 48 * 3600) return `${Math.round(s / 3600)} h`
  return `${Math.round(s / 86_400)} d`
}
