/** Queues tasks that each need a process and limits how many run concurrently. */

import { fail, type Outcome } from '../../lib/outcome.ts'

/**
 * Maximum number of concurrent child processes, because CPU cores are few and each process uses
 * memory.
 */
const AT_ONCE = 2

export type Line = <T>(
  signal: AbortSignal,
  act: () => Promise<Outcome<T, string>>,
) => Promise<Outcome<T, string>>

/** Creates a task queue; each finished task passes its slot to the next task. */
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
