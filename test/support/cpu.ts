/**
 * Processor time of this thread in milliseconds, which others on the machine do not lengthen. Tests
 * assert it through `measured.ts`; the fuzz programs, which are no tests, assert it by themselves.
 */

/** Returns the processor time of `act`. */
export function cpuMs(act: () => void): number {
  const watch = cpuStopwatch()
  act()
  return watch.ms()
}

/** Starts a stopwatch of processor time; `without` leaves out what it runs. */
export function cpuStopwatch() {
  let began = threadMs()
  return {
    ms: (): number => threadMs() - began,
    async without(act: () => Promise<unknown>): Promise<void> {
      const before = threadMs()
      await act()
      began += threadMs() - before
    },
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
