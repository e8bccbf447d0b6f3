/** Opens a log for a worker; ignores logs in a newer release's format. */

import type { Wake, World } from '../../ports/world.ts'
import { UnknownFormat } from './format.ts'
import { parsePartition } from './keys.ts'
import type { AnyEffect, AnyFact, AnyState, EffectHandlers } from './log-type.ts'
import { Transaction } from './transaction.ts'

export async function open<S extends AnyState, F extends AnyFact, E extends AnyEffect>(
  world: World,
  handlers: EffectHandlers<S, F, E>,
  { partition, facts, started }: Pick<Wake, 'partition' | 'facts' | 'started'>,
): Promise<Transaction<S, F> | undefined> {
  try {
    const { tenant } = parsePartition(partition)
    const early = started ? undefined : handlers.early?.(world, tenant)
    const options = { facts, isForPass: true }
    const transaction = await Transaction.open(world, handlers, partition, options)
    transaction.early = early
    return transaction
  } catch (error) {
    // A log in a newer format is skipped here; a newer worker opens it (PROTOCOL.md rule 36).
    if (error instanceof UnknownFormat) return undefined
    throw error
  }
}
