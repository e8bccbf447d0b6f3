/**
 * Body prefixes. A body is stored under its owner's prefix: a root and all its descendants share
 * one prefix, and a session has another. A deletion therefore removes bodies by prefix, without
 * reference counting (PROTOCOL.md rule 20a).
 */

import type { FanoutSpec } from '../../core/fanout/facts.ts'
import { isFanoutId } from '../../core/run/decide/child.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import { iso } from '../../lib/time.ts'
import { fanoutPartition, runPartition, sessionPartition } from './keys.ts'

declare const home: unique symbol
/** Object prefix under which an owner's bodies are stored. */
export type Home = string & { readonly [home]: true }

const FOLDER = 'bodies/'

/** Returns the common prefix of all body prefixes of a tenant. */
export const homesOf = (tenant: string): string => `${tenant}/${FOLDER}`

/** Returns the body prefix of `owner`, which is the ID of a root or a session. */
export const homeOf = (tenant: string, owner: string): Home => `${homesOf(tenant)}${owner}/` as Home

/**
 * Returns the body prefix of a run. Below a fan-out, this is the fan-out's prefix, which
 * `root_run_id` does not name.
 */
export const homeOfRun = (
  tenant: string,
  spec: Pick<RunSpec, 'home' | 'root_run_id'> | null,
): Home => homeOf(tenant, spec!.home ?? spec!.root_run_id)

/**
 * Returns the object prefix of pins. An agent's runs share pins, so pins are stored by month of the
 * run's start and deleted once no older root exists (`worker/sweep.ts`). `at`: milliseconds since
 * 1970.
 */
export const homeOfPins = (tenant: string, at: number): Home =>
  `${pinsOf(tenant)}${iso(at).slice(0, 7)}/` as Home

/** Returns the object prefix of all pins of a tenant. */
export const pinsOf = (tenant: string): string => `${tenant}/pins/`

/** Returns the body prefix of a fan-out. A page uses the prefix of its fan-out. */
export const homeOfFanout = (
  tenant: string,
  spec: Pick<FanoutSpec, 'id' | 'parent'> | null,
): Home => homeOf(tenant, spec!.parent?.run_id ?? spec!.id)

export const homeOfSession = (tenant: string, id: string): Home => homeOf(tenant, id)

export const tenantOf = (place: Home): string => place.slice(0, place.indexOf('/'))

/** Returns the partition whose existence protects an owner's body prefix from deletion. */
export function ownerPartition(tenant: string, owner: string): string | undefined {
  if (isFanoutId(owner)) return fanoutPartition(tenant, owner)
  if (owner.startsWith('run_')) return runPartition(tenant, owner)
  return owner.startsWith('ses_') ? sessionPartition(tenant, owner) : undefined
}
