/**
 * Marks members of another product's requests that have no effect here. The mark is schema metadata
 * for the request reader (`request/ignored-members.ts`) and for the contract.
 */

import * as z from 'zod'
import { canonical } from '../../../lib/digest.ts'

/**
 * Metadata key that marks a member or a kind of item as accepted, omitted, and named as ignored.
 */
export const UNUSED = 'x-unused'
/**
 * Metadata of a list whose items have a union type. Items of other types are omitted and reported
 * as ignored.
 */
export const LEAVES_OUT = { 'x-leaves-out-others': true } as const

/** Creates the schema of an ignored member with any value. */
export const unused = (words: string) =>
  z
    .unknown()
    .optional()
    .meta({ description: `${words}; ignored`, [UNUSED]: true })

/**
 * Creates the schema of a member for an unsupported feature; only values that do not request the
 * feature are accepted.
 */
export const neutral = (words: string, ...values: readonly unknown[]) => {
  const neutrals = new Set(values.map(canonical))
  const alternatives = values.map((value) => JSON.stringify(value)).join(' or ')
  const orSend = alternatives === '' ? '' : `, or send ${alternatives}`
  return z
    .unknown()
    .refine((value) => value == null || neutrals.has(canonical(value)), {
      error: `This member is not supported; omit it${orSend}.`,
    })
    .optional()
    .meta({ description: `${words}. Not supported; omit it${orSend}`, [UNUSED]: true })
}
