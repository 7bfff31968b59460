/** argv without the verb's own words, wherever global flags stood between them. */
export function withoutWords(argv: readonly string[], words: readonly string[]): string[] {
  const rest = [...argv]
  for (const word of words) rest.splice(rest.indexOf(word), 1)
  return rest
}
