/**
 * Limits the process's memory use. On a large machine, V8 keeps several times the size of the live
 * data and does not collect garbage without allocations. Without this control, memory from a burst
 * of work stays in use an hour later.
 */

import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Maximum heap growth before a garbage collection, in percent of the live data. */
const GROWTH_PERCENT = 40
/** Heap size in bytes below which V8's default growth applies, because it needs less CPU time. */
const LARGE = 128 * 1024 * 1024
/**
 * Size in bytes at which the space of new objects stops growing. V8 lets it grow to 128 MB, and a
 * collection of it stops the event loop for longer, the more requests are under way.
 */
const YOUNG = 32 * 1024 * 1024
const MEASURE_MS = 100
const POLL_MS = 5_000
/**
 * Maximum event loop utilization at which a collection starts; in a busier process, it would delay
 * work.
 */
const IDLE = 0.05
/** Minimum heap growth since the last collection, in bytes, that justifies another collection. */
const WORTH = 64 * 1024 * 1024

type Collect = (options: {
  readonly type: 'major'
  readonly execution: 'async'
  readonly flavor: 'last-resort'
}) => Promise<void>

/** Starts memory control for the whole process; the returned function stops it. */
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
    // V8 may have collected garbage since the last check.
    baseline = Math.min(baseline, used)
    // Empty pages that V8 keeps count as growth, except those left by the last collection.
    if (utilization > IDLE || Math.max(used, heapTotal - keptBytes) - baseline < WORTH) return
    // Only a last-resort collection releases emptied pages.
    await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
    const after = process.memoryUsage()
    baseline = after.heapUsed
    keptBytes = after.heapTotal - baseline
  }
  // A growth of 0 restores V8's default.
  const limitHeap = flagSetter('--heap-growing-percent', 0)
  const limitYoung = flagSetter('--semi-space-growth-factor', 2)
  const measure = (): void => {
    limitHeap(getHeapStatistics().total_heap_size > LARGE ? GROWTH_PERCENT : 0)
    limitYoung(youngSize() >= YOUNG ? 1 : 2)
  }
  const timers = [setInterval(look, POLL_MS).unref(), setInterval(measure, MEASURE_MS).unref()]
  return () => timers.forEach(clearInterval)
}

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/** Returns a function that sets a flag of V8 when its value changes. */
function flagSetter(flag: string, initial: number): (value: number) => void {
  let current = initial
  return (value) => {
    if (value !== current) setFlagsFromString(`${flag}=${value}`)
    current = value
  }
}
