/**
 * Keeps the process's memory small. V8 sizes its heap by the machine: on a large one it keeps
 * several times the live data, and collects nothing while nothing is allocated, so that a burst of
 * work is still held an hour later.
 */

import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Garbage that may lie beside what is alive before it is collected, in percent of the latter. */
const GROWTH_PERCENT = 40
/** Bytes: a smaller heap grows as V8 sees fit, which takes less of the thread. */
const LARGE = 128 * 1024 * 1024
const MEASURE_MS = 100
const POLL_MS = 5_000
/** Share of its time; a busier process has work to do, which a collection would delay. */
const IDLE = 0.05
/** Growth of the heap since the last collection, in bytes; less is not worth it. */
const WORTH = 64 * 1024 * 1024

type Collect = (options: {
  readonly type: 'major'
  readonly execution: 'async'
  readonly flavor: 'last-resort'
}) => Promise<void>

/** For the whole process; ends when what it returns is called. */
export function keepMemorySmall(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  let previous: EventLoopUtilization = performance.eventLoopUtilization()
  let baseline = process.memoryUsage().heapUsed
  let keptBytes = 0
  const look = async (): Promise<void> => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, previous)
    previous = now
    const { heapUsed: used, heapTotal } = process.memoryUsage()
    // V8 itself has collected meanwhile.
    baseline = Math.min(baseline, used)
    // Pages that V8 has emptied and keeps are worth it, too, but those of the last time.
    if (utilization > IDLE || Math.max(used, heapTotal - keptBytes) - baseline < WORTH) return
    // Any other collection keeps the pages it has emptied.
    await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
    const after = process.memoryUsage()
    baseline = after.heapUsed
    keptBytes = after.heapTotal - baseline
  }
  let large = false
  const measure = (): void => {
    const isLarge = getHeapStatistics().total_heap_size > LARGE
    if (isLarge === large) return
    large = isLarge
    // Nought: as V8 sees fit.
    setFlagsFromString(`--heap-growing-percent=${large ? GROWTH_PERCENT : 0}`)
  }
  const timers = [setInterval(look, POLL_MS).unref(), setInterval(measure, MEASURE_MS).unref()]
  return () => timers.forEach(clearInterval)
}
