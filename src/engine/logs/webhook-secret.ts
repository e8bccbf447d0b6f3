/**
 * Webhook secret of a run or fan-out: a row next to the log, sealed for its owner (`id`), never a
 * fact. Descendants have a separate copy or read their root's secret.
 */

import type { Row, World, Write } from '../../ports/world.ts'
import { WEBHOOK_SECRET } from '../partition/keys.ts'

/** Returns the sealed webhook secret among the given rows. */
export const sealedIn = (rows: readonly Row[]): string | undefined =>
  rows.find(({ key }) => key === WEBHOOK_SECRET)?.body

/** Reads the sealed webhook secret without any facts; returns undefined if there is none. */
export const sealedSecret = async (
  { store }: Pick<World, 'store'>,
  partition: string,
): Promise<string | undefined> => sealedIn(await store.read(partition, WEBHOOK_SECRET.slice(0, -1)))

/** Reads and unseals the webhook secret; returns undefined if there is none. */
export async function storedSecret(
  world: World,
  partition: string,
  id: string,
): Promise<string | undefined> {
  const sealed = await sealedSecret(world, partition)
  return sealed === undefined ? undefined : world.secrets.open(sealed, id)
}

/** Returns the webhook secret sealed for another owner, `id`. */
export async function secretFor(
  world: World,
  partition: string,
  id: string,
  other: string,
): Promise<string | undefined> {
  const secret = await storedSecret(world, partition, id)
  return secret === undefined ? undefined : world.secrets.seal(secret, other)
}

/** Returns the webhook secret's row, created together with its owner. */
export const secretRows = (sealed: string | null | undefined): Write[] =>
  sealed == null ? [] : [{ op: 'put', key: WEBHOOK_SECRET, body: sealed, expect: 'absent' }]
