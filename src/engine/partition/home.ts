/**
 * Homes: bodies are stored in the *home* of what names them. A root and everything below it share
 * one home; a session has another. A deletion therefore removes bodies by prefix, without reference
 * counting (protocol rule 20a).
 */

import type { FanoutSpec } from '../../core/fanout/facts.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import { iso } from '../../lib/time.ts'
import { fanoutPartition, runPartition, sessionPartition } from './keys.ts'

declare const home: unique symbol
/** An object prefix that is a home. */
export type Home = string & { readonly [home]: true }

const FOLDER = 'bodies/'

/** Prefix of the homes of a tenant. */
export const homesOf = (tenant: string): string => `${tenant}/${FOLDER}`

/** Returns the home of `owner`, the ID of a root or a session. */
export const homeOf = (tenant: string, owner: string): Home => `${homesOf(tenant)}${owner}/` as Home

/** Below a fan-out the home is the fan-out's, which `root_run_id` does not name. */
export const homeOfRun = (
  tenant: string,
  spec: Pick<RunSpec, 'home' | 'root_run_id'> | null,
): Home => homeOf(tenant, spec!.home ?? spec!.root_run_id)

/**
 * Pins are shared by an agent's runs, so they are stored by month of the run's start. They are
 * deleted once no root from before is left (`worker/sweep.ts`). `at`: ms since 1970.
 */
export const homeOfPins = (tenant: string, at: number): Home =>
  `${pinsOf(tenant)}${iso(at).slice(0, 7)}/` as Home

/** Prefix of the pins of a tenant. */
export const pinsOf = (tenant: string): string => `${tenant}/pins/`

/** Returns the home of a fan-out; a page uses that of the whole fan-out. */
export const homeOfFanout = (
  tenant: string,
  spec: Pick<FanoutSpec, 'id' | 'parent'> | null,
): Home => homeOf(tenant, spec!.parent?.run_id ?? spec!.id)

export const homeOfSession = (tenant: string, id: string): Home => homeOf(tenant, id)

export const tenantOf = (place: Home): string => place.slice(0, place.indexOf('/'))

/** Returns the partition whose existence keeps a home. */
export function ownerPartition(tenant: string, owner: string): string | undefined {
  if (isFanoutId(owner)) return fanoutPartition(tenant, owner)
  if (owner.startsWith('run_')) return runPartition(tenant, owner)
  return owner.startsWith('ses_') ? sessionPartition(tenant, owner) : undefined
}
