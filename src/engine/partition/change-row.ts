/** Changes of a row without facts, such as the counts of a quota. */

import type { World } from '../../ports/world.ts'
import { inOrder } from './append.ts'
import { update } from './update.ts'

/** Result of a change, and the new body of the row; without a body, the row stays as it is. */
export interface RowChange<T> {
  readonly result: T
  readonly next?: object
}

/**
 * Reads a row, computes its change, and commits the change if the row is unchanged; otherwise,
 * retries. `change` gets the body, which is undefined if the row does not exist. The changes of one
 * process to a row run in order. `resource` names the row in an error.
 */
export async function changeRow<T>(
  world: World,
  partition: string,
  resource: string,
  change: (body: string | undefined) => RowChange<T> | Promise<RowChange<T>>,
): Promise<T> {
  const attempt = async (): Promise<RowChange<T> | undefined> => {
    const [head] = await world.store.heads([partition])
    const computed = await change(head?.body)
    if (computed.next === undefined) return computed
    const body = JSON.stringify(computed.next)
    const done = await world.store.commit(partition, [], { expect: head?.version ?? null, body })
    return done === 'ok' ? computed : undefined
  }
  return (await inOrder(world.objects, partition, () => update(world, resource, attempt))).result
}
