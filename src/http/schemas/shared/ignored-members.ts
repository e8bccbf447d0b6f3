/**
 * Members of another product's requests that change nothing here. Metadata of a schema says so, to
 * the reader of a request (`request/ignored-members.ts`) and in the contract.
 */

import * as z from 'zod'
import { canonical } from '../../../lib/digest.ts'

/** Metadata of a member, or of a kind of item: it is taken, left out, and named as ignored. */
export const UNUSED = 'x-unused'
/** Metadata of a list's item, a union: items of other kinds are left out, and named. */
export const LEAVES_OUT = { 'x-leaves-out-others': true } as const

/** A member of any type that is not used. */
export const unused = (words: string) =>
  z
    .unknown()
    .optional()
    .meta({ description: `${words}; ignored`, [UNUSED]: true })

/** A member for something that cannot be done here: only values that ask for nothing are taken. */
export const neutral = (words: string, ...values: readonly unknown[]) => {
  const neutrals = new Set(values.map(canonical))
  const alternatives = values.map((value) => JSON.stringify(value)).join(' or ')
  const orSend = alternatives === '' ? '' : `, or send ${alternatives}`
  return z
    .unknown()
    .refine((value) => value == null || neutrals.has(canonical(value)), {
      error: `This member is not supported; omit this member${orSend}.`,
    })
    .optional()
    .meta({ description: `${words}. Not supported; omit this member${orSend}`, [UNUSED]: true })
}
