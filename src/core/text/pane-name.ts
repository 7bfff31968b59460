/** How a pane is written: `%7`. */
export function paneName(id: number): string {
  return `%${id}`
}

/** `%7` or `7` as a number, undefined when it is neither. */
export function paneId(name: string): number | undefined {
  const match = /^%?(\d{1,15})$/.exec(name)
  return match ? Number(match[1]) : undefined
}
