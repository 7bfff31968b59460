/** True when version `a` is newer than `b`; both `major.minor.patch`, a pre-release counts as its release. */
export function isNewer(a: string, b: string): boolean {
  const left = numbers(a)
  const right = numbers(b)
  const at = left.findIndex((part, i) => part !== right[i])
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0)
}

function numbers(version: string): number[] {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version)
  return match ? match.slice(1, 4).map(Number) : [0, 0, 0]
}
