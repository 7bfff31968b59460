/** The word that differs from `typed` by the fewest edits, if it is few enough to be a typing error. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map(word => ({word, far: distance(typed.toLowerCase(), word.toLowerCase())}))
    .sort((a, b) => a.far - b.far)
  return best && best.far <= Math.max(1, Math.floor(typed.length / 3)) ? best.word : undefined
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({length: b.length + 1}, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
