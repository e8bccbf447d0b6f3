/**
 * Records which partitions were being advanced when the process died: one slot of a small file for
 * each, written when a pass begins and cleared when it ends. Nothing is synced, because the record
 * is about a process that was killed and not about a machine that lost power; a write costs
 * microseconds. The file's time says when the process was last alive.
 */

import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readFileSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

const SLOT = 256
/** A number this small names the one that crashed the process, if any did. */
const FEW = 2
/** A process that stood still for so long before it was ended was probably brought to a stand. */
const STOOD_MS = 5_000

/** A partition that a worker was working on, and since when (ms since 1970). */
interface Interrupted {
  readonly partition: string
  readonly since: number
}

export interface AtWork {
  /**
   * Partitions that the previous process left unfinished, because it was killed; none where many
   * were active and nothing says that it was one of them.
   */
  readonly interrupted: readonly Interrupted[]
  /** When that process was last alive, ms since 1970; undefined: there was none. */
  readonly lastAlive: number | undefined
  during<T>(partition: string, act: () => Promise<T>): Promise<T>
  /** Still there: to be called every second or so. */
  alive(): void
  /** Stops in peace: what is still under way was not killed. */
  close(): void
}

/** Throws what the file system throws; the folder must be held by this process. */
export function openAtWork(path: string): AtWork {
  const file = openSync(path, 'a+', 0o600)
  const { size, mtimeMs } = fstatSync(file)
  const unfinished = size === 0 ? [] : slotsOf(readFileSync(path, 'latin1'))
  const lastAlive = size === 0 ? undefined : mtimeMs
  const stood = Date.now() - mtimeMs >= STOOD_MS
  const interrupted = stood || unfinished.length <= FEW ? unfinished : []
  closeSync(file)
  // `a` would append whatever the position.
  const slots = openSync(path, 'r+')
  ftruncateSync(slots, 0)
  const free: number[] = []
  // The first slot stays empty, so that the file is never taken for that of a first start.
  let slotCount = 1
  const put = (slot: number, text: string): void => {
    writeSync(slots, text.padEnd(SLOT - 1).concat('\n'), slot * SLOT, 'latin1')
  }
  put(0, '')
  let open = true
  /** Slots whose work is over: most are taken again in the same turn, and written once. */
  const over = new Set<number>()
  const clear = (): void => {
    for (const slot of over) if (open) put(slot, '')
    over.clear()
  }
  return {
    interrupted,
    lastAlive,
    async during(partition, act) {
      if (partition.length > SLOT - 32) return act()
      const slot = free.pop() ?? slotCount++
      over.delete(slot)
      put(slot, `${Date.now()} ${partition}`)
      try {
        return await act()
      } finally {
        free.push(slot)
        if (over.size === 0) setImmediate(clear)
        over.add(slot)
      }
    },
    alive() {
      const now = Date.now() / 1_000
      if (open) futimesSync(slots, now, now)
    },
    close() {
      open = false
      ftruncateSync(slots, 0)
      writeSync(slots, ''.padEnd(SLOT - 1).concat('\n'), 0, 'latin1')
      closeSync(slots)
    },
  }
}

/** Writes the file of a process that was alive at `at` (ms since 1970) and has stopped in peace. */
export function writeAtRest(path: string, at: number): void {
  writeFileSync(path, ''.padEnd(SLOT - 1).concat('\n'), { mode: 0o600 })
  utimesSync(path, at / 1_000, at / 1_000)
}

const slotsOf = (text: string): Interrupted[] =>
  text.split('\n').flatMap((line) => {
    const [, since, partition] = /^(\d+) (\S+) *$/.exec(line) ?? []
    return partition === undefined ? [] : [{ partition, since: Number(since) }]
  })
