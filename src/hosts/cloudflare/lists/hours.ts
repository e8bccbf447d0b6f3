/** The directory of a tenant: the hours for which an object has copies for its lists. */

import type { Write } from '../../../ports/world.ts'
import { directoryOf, holderOf, hourIn } from '../bindings/address.ts'
import type { Bindings } from '../bindings/bindings.ts'

type Objects = Pick<Bindings, 'PARTITIONS'>

/** An hour that is younger may be about to have a copy while its last one goes. */
const YOUNG_MS = 86_400_000

const change = async ({ PARTITIONS }: Objects, of: string, write: Write): Promise<void> => {
  const directory = directoryOf(of)
  await PARTITIONS.getByName(holderOf(directory)!).commit(directory, [write])
}

/** Before its first copy is there. Nothing happens where `of` is no hour. */
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
