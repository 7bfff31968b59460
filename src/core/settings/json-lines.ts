export interface JsonLines {
  /** Line (from 1) of each value, by its path as a JSON array (`["cli","enabled"]`); values inside of arrays have none. */
  lines: ReadonlyMap<string, number>
  /** The line that is no JSON. */
  errorLine?: number
}

const blank = /[ \t\r\n]*/y
const text = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Where the values of a JSON text stand, and where it breaks: JSON.parse tells neither reliably. */
export function jsonLines(source: string): JsonLines {
  const lines = new Map<string, number>()
  let at = 0
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(source)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  function takes(sign: string): boolean {
    take(blank)
    if (source[at] !== sign) return false
    at++
    return true
  }

  function need(isThere: unknown): void {
    if (!isThere) throw new SyntaxError('no JSON here')
  }

  function value(path: readonly string[] | undefined): void {
    take(blank)
    if (path) lines.set(JSON.stringify(path), lineAt(at))
    if (takes('{')) list('}', () => member(path))
    else if (takes('[')) list(']', () => value(undefined))
    else need(take(text) ?? take(literal))
  }

  function list(end: string, element: () => void): void {
    if (takes(end)) return
    do element()
    while (takes(','))
    need(takes(end))
  }

  function member(path: readonly string[] | undefined): void {
    take(blank)
    const name = take(text)
    need(name !== undefined && takes(':'))
    value(path && [...path, JSON.parse(name as string)])
  }

  try {
    value([])
    take(blank)
    need(at === source.length)
    return {lines}
  } catch {
    // Cut off: the last line that has something, not the empty one behind it.
    const offset = Math.min(at, source.trimEnd().length)
    return {lines, errorLine: lineAt(offset)}
  }
}
