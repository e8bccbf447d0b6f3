/** A line for work that takes a process each: so many at once, the others wait their turn. */

import { fail, type Outcome } from '../../lib/outcome.ts'

/** Processors are few, and each process may take its memory. */
const AT_ONCE = 2

export type Line = <T>(
  signal: AbortSignal,
  act: () => Promise<Outcome<T, string>>,
) => Promise<Outcome<T, string>>

/** The place of one that leaves is that of the next. */
export function line(): Line {
  let running = 0
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return async (signal, act) => {
    if (running < AT_ONCE) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return signal.aborted ? fail('the call was aborted') : await act()
    } finally {
      leave()
    }
  }
}
