/**
 * Marks members of another product's requests that have no effect here. Schema metadata records the
 * mark, for the request reader (`request/ignored-members.ts`) and for the contract.
 */

import * as z from 'zod'
import { canonical } from '../../../lib/digest.ts'

/** Metadata of a member or a kind of item that is accepted, omitted, and named as ignored. */
export const UNUSED = 'x-unused'
/** Metadata of a list item that is a union: items of other kinds are omitted and named. */
export const LEAVES_OUT = { 'x-leaves-out-others': true } as const

/** Creates an unused member of any type. */
export const unused = (words: string) =>
  z
    .unknown()
    .optional()
    .meta({ description: `${words}; ignored`, [UNUSED]: true })

/**
 * Creates a member for an unsupported feature; accepts only values that do not request the feature.
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
