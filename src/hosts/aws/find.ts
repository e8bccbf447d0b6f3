/**
 * Rows of a list by their tags: the index is queried in portions that grow, so that a filter that
 * most rows pass costs a little and one that few pass takes few requests.
 */

import { tagOf } from '../../lib/tags.ts'
import type { Found, Listed, Wanted } from '../../ports/world.ts'
import { FIND_ENTRIES } from '../../ports/world.ts'
import { type Filter, type ListSource, portion, rowsOf, share } from './lists.ts'
import { listKeys } from './table.ts'

/** Entries of the first portion, and of how many more the next one is. */
const FIRST = 100
const GROWTH = 8
/** Of one key: the first may be the bound where the portion before ended. */
const LEAST = 2

export async function findPage(source: ListSource, under: string, wanted: Wanted): Promise<Found> {
  const { order } = wanted
  const filter = filterOf(wanted)
  const rows: Listed[] = []
  let { above, below } = wanted
  let keys = listKeys(under)
  let left = FIND_ENTRIES
  for (let size = FIRST; ; size *= GROWTH) {
    if (above !== undefined && below !== undefined && above >= below) return { rows }
    const limit = Math.min(share(size, keys), Math.floor(left / keys.length))
    const page = await portion(source, keys, { above, below, order, limit, ...filter })
    const taken = page.items.slice(0, wanted.limit - rows.length)
    rows.push(...(await rowsOf(source, under, taken)))
    // More fit than there was room for: the page ends with the last that was taken.
    const last = taken.at(-1)?.a?.S
    if (taken.length < page.items.length && last !== undefined) return { rows, reached: last }
    const { frontier } = page
    if (frontier === undefined) return { rows }
    left -= page.scanned
    keys = page.keys
    if (left < LEAST * keys.length || rows.length >= wanted.limit)
      return { rows, reached: frontier }
    if (order === 'newest') below = frontier
    else above = frontier
  }
}

function filterOf({ marks, words }: Wanted): { readonly filter?: Filter } {
  const names = [...marks].map((mark, index) => [`:m${index}`, mark] as const)
  const tags = words.map((word, index) => [`:w${index}`, tagOf(word)] as const)
  const marked = names.map(([name]) => `begins_with(t, ${name})`).join(' OR ')
  const parts = [
    ...(marked === '' ? [] : [`(${marked})`]),
    ...tags.map(([name]) => `contains(t, ${name})`),
  ]
  if (parts.length === 0) return {}
  return { filter: { expression: parts.join(' AND '), values: [...names, ...tags] } }
}
