import stringWidth from 'fast-string-width'

/**
 * Rows as aligned columns, two spaces apart, under a header; the last column is not padded. Widths count terminal
 * cells, so that wide characters and colours keep the columns straight.
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map(row => stringWidth(row[column] ?? ''))))
  const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell))
  return all
    .map(row => row.map((cell, column) => (column === row.length - 1 ? cell : pad(cell, column))).join('  '))
    .join('\n')
}
