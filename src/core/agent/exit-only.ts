import type {SignalReader} from './types.ts'

/** Reads of a program that gives no sign of its own the one thing that is certain: its end. */
export const exitOnly: SignalReader<null> = {
  initial: null,
  read(state, entry) {
    if (entry.type !== 'exit') return {state, signals: []}
    const {at, offset, code, signal} = entry
    const evidence = {source: 'process' as const, at, detail: 'the program ended'}
    return {
      state,
      signals: [
        {
          type: 'exited',
          at,
          offset,
          evidence,
          confidence: 'exact',
          code,
          ...(signal === undefined ? {} : {signal}),
        },
      ],
    }
  },
}
