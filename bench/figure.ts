/** One promise, measured beside its floor in the same run. */
export interface Figure {
  name: string
  /** As it is to be read, with its unit; the floor likewise. */
  measured: string
  floor: string
  /** What the bound is about: mostly measured ÷ floor. */
  value: number
  unit: '×' | 's' | 'bytes' | 'MB'
  /** Absent: worth knowing, promised to nobody. */
  bound?: {atMost: number} | {atLeast: number}
}

export function holds({value, bound}: Figure): boolean {
  if (bound === undefined) return true
  return 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast
}

/** Runs all in turn, `rounds` times, so that what else the machine does hits each alike; one list of answers for each. */
export async function inTurn<T>(
  rounds: number,
  works: readonly ((round: number) => Promise<T>)[],
): Promise<T[][]> {
  const answers: T[][] = works.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, work] of works.entries()) answers[index]?.push(await work(round))
  return answers
}

/** Milliseconds that `work` takes. */
export async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

interface Compared {
  name: string
  /** What the floor is, in a few words. */
  than: string
  /** Milliseconds, of which the medians count. */
  ours: readonly number[]
  floor: readonly number[]
}

/** At most so many times the floor. */
export function slowdown(
  {name, than, ours, floor}: Compared,
  bound?: Extract<Figure['bound'], {atMost: number}>,
): Figure {
  const [mine, bare] = [median(ours), median(floor)]
  return {
    ...{name, bound, unit: '×', value: mine / bare},
    ...{measured: `${mine.toFixed(1)} ms`, floor: `${bare.toFixed(1)} ms, ${than}`},
  }
}

/** At least such a part of the floor's rate. */
export function share({name, than, ours, floor}: Compared, bound?: {atLeast: number}): Figure {
  const [mine, bare] = [median(ours), median(floor)]
  const rate = (ms: number) => `${Math.round(1000 / ms).toLocaleString('en')}/s`
  return {
    ...{name, bound, unit: '×', value: bare / mine},
    ...{measured: rate(mine), floor: `${rate(bare)}, ${than}`},
  }
}
