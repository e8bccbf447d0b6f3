/**
 * Worker lease on one partition, as recorded in the head and the worker's commits. It states who
 * performs effects, under which epoch (PROTOCOL.md rules 11 to 13).
 */

import type { Lease } from '../../core/run/state/state.ts'
import { base64url } from '../../lib/bytes.ts'
import type { World } from '../../ports/world.ts'
import { type Hold, LEASE_GRACE_MS } from './rows.ts'

interface Leased {
  readonly epoch: number
  readonly lease: Lease | null
}

/** Returns whether no other process runs passes for this world's partitions. */
export const isSoleWorker = (
  settings: Pick<World['settings'], 'singleProcess' | 'soleWorker'>,
): boolean => settings.soleWorker ?? settings.singleProcess

export class WorkerLease {
  /** Name of this worker invocation in leases: the process name and a random part. */
  readonly worker: string
  readonly #program: string
  /** Whether no other process can own the partition's lease. */
  readonly #isAlone: boolean
  /** Epoch of the lease while this worker owns it; otherwise undefined. */
  #epoch: number | undefined

  /**
   * Creates a worker's view of a lease. With `isPass`, this worker was woken for the partition;
   * otherwise another worker may be active on it.
   */
  constructor({ settings, clock }: Pick<World, 'settings' | 'clock'>, isPass: boolean) {
    this.worker = `${settings.worker}:${base64url(clock.random(6))}`
    this.#program = `${settings.worker}:`
    this.#isAlone = isPass ? isSoleWorker(settings) : settings.singleProcess
  }

  get isHeld(): boolean {
    return this.#epoch !== undefined
  }

  /** Returns the epoch that this worker has, or would get by acquiring the lease. */
  epoch(head: Leased | undefined): number {
    return this.#epoch ?? (head?.epoch ?? 0) + 1
  }

  /** Returns whether another worker owns a valid lease. */
  isOthers(head: Leased | undefined, now: number): boolean {
    const lease = head?.lease
    if (!lease || lease.worker === this.worker) return false
    if (this.#isAlone && !lease.worker.startsWith(this.#program)) return false
    return now < lease.until + LEASE_GRACE_MS
  }

  /** Returns whether this worker owned a lease that another worker has since acquired. */
  isLost(head: Leased): boolean {
    return this.#epoch !== undefined && head.epoch > this.#epoch
  }

  settle(epoch: number, hold: Hold): void {
    if (hold === 'hold') this.#epoch = epoch
    if (hold === 'free') this.#epoch = undefined
  }
}
