/** Directory of a tenant's hours: the hours for which an object contains list copies. */

import type { Write } from '../../../ports/world.ts'
import { directoryOf, holderOf, hourIn } from '../bindings/address.ts'
import type { Bindings } from '../bindings/bindings.ts'

type Objects = Pick<Bindings, 'PARTITIONS'>

/**
 * Minimum age of an hour before it can be removed from the directory, in milliseconds. A younger
 * hour may be about to get a copy while its last copy is removed.
 */
const YOUNG_MS = 86_400_000

const change = async ({ PARTITIONS }: Objects, of: string, write: Write): Promise<void> => {
  const directory = directoryOf(of)
  await PARTITIONS.getByName(holderOf(directory)!).commit(directory, [write])
}

/** Adds an hour to the directory before its first copy. Does nothing if `of` is not an hour. */
export async function noteHour(env: Objects, of: string): Promise<void> {
  const hour = hourIn(of)
  if (hour) await change(env, of, { op: 'put', key: hour, body: '', expect: 'any' })
}

/** Removes an hour that has no rows from the directory. */
export async function forgetHour(env: Objects, of: string): Promise<void> {
  const hour = hourIn(of)
  if (hour === undefined || Date.parse(`${hour}:00Z`) > Date.now() - YOUNG_MS) return
  await change(env, of, { op: 'delete', key: hour })
}
