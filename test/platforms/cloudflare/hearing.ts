/** What the tests have in common with the objects: both live in one isolate. */

import type { Wake } from '../../../src/ports/world.ts'

/** Who is told of wakes just now. */
export const hearing: { current: ((wake: Wake) => Promise<void>) | undefined } = {
  current: undefined,
}

/** How objects fare just now. */
export const switches: {
  /** Instead of each batch that an object sends to the database. */
  batch: ((send: () => Promise<unknown>) => Promise<unknown>) | undefined
  /** What an event of an object that begins now may use; undefined: as much as on the platform. */
  most: { readonly queries: number; readonly calls: number } | undefined
  /** How often an event was told that it has used its share; the most calls that one has made. */
  spent: number
  calls: number
} = { batch: undefined, most: undefined, spent: 0, calls: 0 }
