/**
 * Homes: bodies are stored in the *home* of what names them. A root with everything below it has
 * one home, and a session another, so a deletion takes the bodies by their prefix, without knowing
 * who else names a digest (protocol rule 20a).
 */

import type { FanoutSpec } from '../../core/fanout/facts.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import { iso } from '../../lib/time.ts'
import { fanoutPartition, runPartition, sessionPartition } from './keys.ts'

declare const home: unique symbol
/** A prefix of objects. */
export type Home = string & { readonly [home]: true }

const FOLDER = 'bodies/'

/** Above the homes of a tenant. */
export const homesOf = (tenant: string): string => `${tenant}/${FOLDER}`

/** `owner`: the id of a root or of a session. */
export const homeOf = (tenant: string, owner: string): Home => `${homesOf(tenant)}${owner}/` as Home

/** Below a fan-out the root is the fan-out, which `root_run_id` does not name. */
export const homeOfRun = (
  tenant: string,
  spec: Pick<RunSpec, 'home' | 'root_run_id'> | null,
): Home => homeOf(tenant, spec!.home ?? spec!.root_run_id)

/**
 * Pins are the same for all runs of an agent, so they lie by the month in which these began, and go
 * when no root of before is left (`worker/sweep.ts`). `at`: ms since 1970.
 */
export const homeOfPins = (tenant: string, at: number): Home =>
  `${pinsOf(tenant)}${iso(at).slice(0, 7)}/` as Home

/** Above the pins of a tenant. */
export const pinsOf = (tenant: string): string => `${tenant}/pins/`

/** The home of a page is that of the whole fan-out. */
export const homeOfFanout = (
  tenant: string,
  spec: Pick<FanoutSpec, 'id' | 'parent'> | null,
): Home => homeOf(tenant, spec!.parent?.run_id ?? spec!.id)

export const homeOfSession = (tenant: string, id: string): Home => homeOf(tenant, id)

export const tenantOf = (place: Home): string => place.slice(0, place.indexOf('/'))

/** The partition that keeps a home alive. */
export function ownerPartition(tenant: string, owner: string): string | undefined {
  if (isFanoutId(owner)) return fanoutPartition(tenant, owner)
  if (owner.startsWith('run_')) return runPartition(tenant, owner)
  return owner.startsWith('ses_') ? sessionPartition(tenant, owner) : undefined
}
