/** The word that differs from `typed` by the fewest edits, if it is few enough to be a typing error. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map(word => ({word, far: distance(typed.toLowerCase(), word.toLowerCase())}))
    .sort((a, b) => a.far - b.far)
  return best && best.far <= Math.max(1, Math.floor(typed.length / 3)) ? best.word : undefined
}

/** Edits between two words; two neighbours that changed places (`lsit`) are one, as they are the commonest slip. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({length: b.length + 1}, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          replaced,
          at(row, j) + 1,
          at(next, j - 1) + 1,
          swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
