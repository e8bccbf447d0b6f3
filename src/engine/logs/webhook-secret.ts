/**
 * The secret of a run's or fan-out's webhook: a row beside its log, sealed for its owner (`id`),
 * never a fact. Descendants have a copy of their own or ask their root.
 */

import type { Row, World, Write } from '../../ports/world.ts'
import { WEBHOOK_SECRET } from '../partition/keys.ts'

/** As it is sealed, among rows that were read. */
export const sealedIn = (rows: readonly Row[]): string | undefined =>
  rows.find(({ key }) => key === WEBHOOK_SECRET)?.body

/** As it is sealed; reads no facts. Undefined when there is none. */
export const sealedSecret = async (
  { store }: Pick<World, 'store'>,
  partition: string,
): Promise<string | undefined> => sealedIn(await store.read(partition, WEBHOOK_SECRET.slice(0, -1)))

/** As it was accepted; undefined when there is none. */
export async function storedSecret(
  world: World,
  partition: string,
  id: string,
): Promise<string | undefined> {
  const sealed = await sealedSecret(world, partition)
  return sealed === undefined ? undefined : world.secrets.open(sealed, id)
}

/** The secret, sealed again for the owner `id`. */
export async function secretFor(
  world: World,
  partition: string,
  id: string,
  other: string,
): Promise<string | undefined> {
  const secret = await storedSecret(world, partition, id)
  return secret === undefined ? undefined : world.secrets.seal(secret, other)
}

/** The row that is created with its owner. */
export const secretRows = (sealed: string | null | undefined): Write[] =>
  sealed == null ? [] : [{ op: 'put', key: WEBHOOK_SECRET, body: sealed, expect: 'absent' }]
