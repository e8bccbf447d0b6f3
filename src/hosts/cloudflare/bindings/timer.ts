/**
 * Cancellable pause; cancelling it allows the platform to evict the object, because an unused timer
 * keeps an object in memory.
 */
export interface Timer {
  readonly over: Promise<void>
  clear(): void
}

export function setTimer(ms: number): Timer {
  let clear = (): void => {}
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms))
    clear = () => clearTimeout(timer)
  })
  return { over, clear }
}

/** Returns the earliest of the given times, ignoring undefined ones. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const defined = times.filter((time) => time !== undefined)
  return defined.length === 0 ? undefined : Math.min(...defined)
}
