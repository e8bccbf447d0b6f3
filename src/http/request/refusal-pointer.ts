/** Places of a refusal in the request as its client sent it. */

import type { Refusal } from '../../core/problem.ts'
import type { Path } from './ignored-members.ts'

/** The same refusal with its places moved, in its sentence too. */
export function moved(refusal: Refusal, place: (pointer: string) => string): Refusal {
  let { detail } = refusal
  const errors = refusal.errors?.map((error) => {
    const pointer = place(error.pointer)
    if (pointer !== error.pointer) detail = detail.replaceAll(error.pointer, () => pointer)
    return { ...error, pointer }
  })
  return errors === undefined ? refusal : { ...refusal, detail, errors }
}

/** Counts the items that were left out before an item of a list. */
export function countingLeftOut(pointer: string, leftOut: readonly Path[]): string {
  const sent: (string | number)[] = []
  for (const name of pointer.split('/').slice(1)) {
    if (!/^\d+$/.test(name)) {
      sent.push(name)
      continue
    }
    let index = Number(name)
    for (const droppedPath of leftOut)
      if (isItemOf(droppedPath, sent) && Number(droppedPath.at(-1)) <= index) index += 1
    sent.push(index)
  }
  return sent.map((name) => `/${name}`).join('')
}

/** Places of one list come in their order. */
const isItemOf = (path: Path, list: Path): boolean =>
  path.length === list.length + 1 && list.every((name, index) => name === path[index])
