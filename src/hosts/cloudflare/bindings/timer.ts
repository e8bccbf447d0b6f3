/** A pause that can be cancelled: an unused timer keeps an object in memory. */
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

/** The first of some times, of which any may be none. */
export function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const defined = times.filter((time) => time !== undefined)
  return defined.length === 0 ? undefined : Math.min(...defined)
}
