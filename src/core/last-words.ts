/**
 * What a Node process that died at once said of the reason: the line that names the error, since its very last one is
 * Node's version.
 */
export function lastWords(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return lines.findLast(line => /^\w*Error\b/.test(line)) ?? lines.at(-1)
}
