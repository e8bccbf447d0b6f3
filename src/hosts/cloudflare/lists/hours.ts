/** Directory of a tenant: the hours for which an object has copies for lists. */

import type { Write } from '../../../ports/world.ts'
import { directoryOf, holderOf, hourIn } from '../bindings/address.ts'
import type { Bindings } from '../bindings/bindings.ts'

type Objects = Pick<Bindings, 'PARTITIONS'>

/**
 * Minimum age of a removable hour in milliseconds; a younger hour may be about to get a copy while
 * its last copy is removed.
 */
const YOUNG_MS = 86_400_000

const change = async ({ PARTITIONS }: Objects, of: string, write: Write): Promise<void> => {
  const directory = directoryOf(of)
  await PARTITIONS.getByName(holderOf(directory)!).commit(directory, [write])
}

/** Adds an hour before its first copy is stored. Does nothing when `of` is not an hour. */
export async function noteHour(env: Objects, of: string): Promise<void> {
  const hour = hourIn(of)
  if (hour) await change(env, of, { op: 'put', key: hour, body: '', expect: 'any' })
}

/** Removes an hour without rows. */
export async function forgetHour(env: Objects, of: string): Promise<void> {
  const hour = hourIn(of)
  if (hour === undefined || Date.parse(`${hour}:00Z`) > Date.now() - YOUNG_MS) return
  await change(env, of, { op: 'delete', key: hour })
}
