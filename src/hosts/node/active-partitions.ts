/**
 * Records which partitions were active when the process was killed. Each active partition has a
 * slot in a small file, written when a pass starts and cleared when the pass ends. The file is not
 * synced, because it covers a killed process and not a power loss; a write costs microseconds. The
 * file's modification time shows when the process was last alive.
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
/** Maximum number of active partitions at which each one is suspected of causing the crash. */
const FEW = 2
/** Time without activity after which a killed process probably hung, in milliseconds. */
const STOOD_MS = 5_000

/** Partition whose pass was interrupted, and the start of that pass in milliseconds since 1970. */
interface Interrupted {
  readonly partition: string
  readonly since: number
}

export interface AtWork {
  /**
   * Partitions whose passes the killed process left unfinished; empty if many were active and
   * nothing implicates them.
   */
  readonly interrupted: readonly Interrupted[]
  /**
   * Last activity of the previous process, in milliseconds since 1970; undefined if there was no
   * previous process.
   */
  readonly lastAlive: number | undefined
  during<T>(partition: string, act: () => Promise<T>): Promise<T>
  /** Records that the process is alive; called about once per second. */
  alive(): void
  /** Records a clean stop; passes left unfinished do not count as killed. */
  close(): void
}

/** Opens the activity record; throws file system errors. Requires the folder's lock. */
export function openAtWork(path: string): AtWork {
  const file = openSync(path, 'a+', 0o600)
  const { size, mtimeMs } = fstatSync(file)
  const unfinished = size === 0 ? [] : slotsOf(readFileSync(path, 'latin1'))
  const lastAlive = size === 0 ? undefined : mtimeMs
  const stood = Date.now() - mtimeMs >= STOOD_MS
  const interrupted = stood || unfinished.length <= FEW ? unfinished : []
  closeSync(file)
  // A file opened in mode `a` would be appended to, regardless of the write position.
  const slots = openSync(path, 'r+')
  ftruncateSync(slots, 0)
  const free: number[] = []
  // The first slot stays empty, because an empty file would mean that no process ran before.
  let slotCount = 1
  const put = (slot: number, text: string): void => {
    writeSync(slots, text.padEnd(SLOT - 1).concat('\n'), slot * SLOT, 'latin1')
  }
  put(0, '')
  let open = true
  /** Slots to clear; most are reused within one turn of the event loop, which saves a write. */
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

/**
 * Writes the activity record of a process that was alive at `at` (milliseconds since 1970) and
 * stopped cleanly.
 */
export function writeAtRest(path: string, at: number): void {
  writeFileSync(path, ''.padEnd(SLOT - 1).concat('\n'), { mode: 0o600 })
  utimesSync(path, at / 1_000, at / 1_000)
}

const slotsOf = (text: string): Interrupted[] =>
  text.split('\n').flatMap((line) => {
    const [, since, partition] = /^(\d+) (\S+) *$/.exec(line) ?? []
    return partition === undefined ? [] : [{ partition, since: Number(since) }]
  })
