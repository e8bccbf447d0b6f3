/**
 * The reference for bounds in milliseconds: the processor time of a fixed piece of work, as a multiple
 * of its time on the nominal machine, on which the bounds were set. Bounds are multiplied by it.
 */

import { cpuMs } from './cpu.ts'

/** The time of the work on the nominal machine: two shared cores of a cloud, 2026-11. */
const NOMINAL_MS = 7
/** Runs of the work before the first measurement: it is compiled then. */
const WARM_UP = 60
/** The processor time of a short run depends on the kernel's ticks, so many runs are timed together. */
const RUNS = 15
const BATCHES = 3
/** The largest ratio of two references between which a measurement counts. */
const MOST_SPREAD = 2

const TEXT = JSON.stringify(
  Array.from({ length: 2_000 }, (_, index) => ({
    id: `run_${index}`,
    at: index * 7_919,
    text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.',
  })),
)

/** Parses, sorts, searches, and serializes 0.2 MB of JSON. */
function work(): void {
  const rows = JSON.parse(TEXT) as { id: string; at: number; text: string }[]
  const sorted = rows.sort((one, other) => (other.at % 1_009) - (one.at % 1_009))
  const words = new Map<string, number>()
  for (const { text } of sorted) {
    for (const [word] of text.matchAll(/\w+/g)) words.set(word, (words.get(word) ?? 0) + 1)
  }
  JSON.stringify([sorted, [...words]])
}

/** Returns 1 on the nominal machine, and 2 on a machine that is half as fast. */
function take(): number {
  const batches = Array.from({ length: BATCHES }, () => cpuMs(() => repeat(RUNS)))
  batches.sort((one, other) => one - other)
  return batches[BATCHES >> 1]! / (RUNS * NOMINAL_MS)
}

function repeat(count: number): void {
  for (let run = 0; run < count; run += 1) work()
}

let first: number | undefined

/** Returns the reference of this process. The first call takes it, which blocks for half a second. */
export function reference(): number {
  if (first === undefined) {
    repeat(WARM_UP)
    first = take()
  }
  return first
}

/** The reference of this process and one that was taken after a measurement. */
export interface Speed {
  /** The mean of the two. */
  readonly factor: number
  /** The larger one divided by the smaller one. */
  readonly spread: number
}

/** Takes the reference again and compares it with that of this process. */
export function referenceAgain(): Speed {
  const [before, after] = [reference(), take()]
  const spread = Math.max(before, after) / Math.min(before, after)
  return { factor: (before + after) / 2, spread }
}

/** Throws if the references differ so much that the machine was busy with something else. */
export function assertSteady({ factor, spread }: Speed): void {
  if (spread <= MOST_SPREAD) return
  const by = `reference ${factor.toFixed(2)}, spread ${spread.toFixed(2)}`
  throw new Error(`not measured: busy (${by})`)
}
