/**
 * Queue on Cloudflare: a wake is a call to the object that runs passes over the wake's partition.
 * The object records the wake and is resumed by its alarm. A wake that cannot be sent is lost, and
 * the alarm of the partition recovers it.
 */

import type { Queue, Wake } from '../../../ports/world.ts'
import { workerOf } from '../bindings/address.ts'
import type { Namespace, PartitionCalls } from '../bindings/bindings.ts'
import type { Spending } from '../bindings/budget.ts'

export interface QueueParts {
  readonly objects: Namespace<Pick<PartitionCalls, 'wake'>>
  readonly spending?: Spending | undefined
  /** Accepts wakes for the sending object itself; returns false for wakes of another object. */
  readonly own?: (object: string, wakes: readonly Wake[], delayMs: number) => boolean
}

export function objectQueue({ objects, spending, own: local }: QueueParts): Queue {
  const call = async (
    object: string,
    wakes: readonly Wake[],
    delayMs: number,
  ): Promise<boolean> => {
    if (local?.(object, wakes, delayMs)) return true
    spending?.spend('calls', 1)
    try {
      await objects.getByName(object).wake(wakes, delayMs)
      return true
    } catch {
      return false
    }
  }
  return {
    async send(wakes, delayMs = 0) {
      const groups = Map.groupBy(wakes, ({ partition }) => workerOf(partition))
      const sent = await Promise.all(
        [...groups].map(([object, group]) => call(object, group, delayMs)),
      )
      return sent.every(Boolean) ? 'ok' : 'lost'
    },
  }
}
