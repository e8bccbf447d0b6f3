/**
 * Work that can wait, such as traces of what has ended, goes behind work that somebody waits for:
 * it begins when no lane has anything to do, a few pieces at a time, and in any case soon. One
 * timer serves all that wait: a thousand of them would cost as much as the work itself.
 */

/** Pieces that begin before the lanes are looked at again. */
const AT_ONCE = 32
/** More do not wait: the oldest begin. As many as an exporter of OpenTelemetry holds back. */
const AT_MOST = 2_048
/** How late the end of a wait may be seen. */
const LOOK_MS = 250

export interface QuietTimes {
  /** Settles when there is nothing else to do, after `ms` at the latest, or with the signal. */
  wait(partition: string, ms: number, signal?: AbortSignal): Promise<void>
  /** Somebody waits for the partition: its piece begins. */
  release(partition: string): void
  /** There may be nothing else to do now. */
  check(): void
  /** Lets go of all that wait, and of all that come. */
  stop(): void
}

interface Piece {
  readonly go: () => void
  readonly until: number
  readonly signal: AbortSignal | undefined
}

export function quietTimes(isBusy: () => boolean): QuietTimes {
  const waiting = new Map<string, Piece>()
  let due = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const release = (partition: string): void => {
    const piece = waiting.get(partition)
    waiting.delete(partition)
    piece?.go()
  }
  const releaseSome = (): void => {
    due = false
    if (isBusy()) return
    let left = AT_ONCE
    for (const partition of waiting.keys()) {
      if (left === 0) break
      left -= 1
      release(partition)
    }
    check()
  }
  const check = (): void => {
    if (due || waiting.size === 0 || isBusy()) return
    due = true
    // Whatever has come meanwhile goes first.
    setImmediate(releaseSome)
  }
  const look = (): void => {
    timer = undefined
    const now = performance.now()
    for (const [partition, { until, signal }] of waiting) {
      if (until <= now || signal?.aborted) release(partition)
    }
    watch()
  }
  const watch = (): void => {
    if (waiting.size > 0) timer ??= setTimeout(look, LOOK_MS)
  }
  return {
    check,
    release,
    wait: (partition, ms, signal) =>
      new Promise((go) => {
        if (stopped || signal?.aborted) return go()
        const [oldest] = waiting.keys()
        if (oldest !== undefined && waiting.size >= AT_MOST) release(oldest)
        release(partition)
        waiting.set(partition, { go, until: performance.now() + ms, signal })
        watch()
        check()
      }),
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const partition of waiting.keys()) release(partition)
    },
  }
}
