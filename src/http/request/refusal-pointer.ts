/** Converts the JSON pointers of a rejection to those of the client's request. */

import type { Refusal } from '../../core/problem.ts'
import type { Path } from './ignored-members.ts'

/** Returns the rejection with converted JSON pointers, including those in the message. */
export function moved(refusal: Refusal, place: (pointer: string) => string): Refusal {
  let { detail } = refusal
  const errors = refusal.errors?.map((error) => {
    const pointer = place(error.pointer)
    if (pointer !== error.pointer) detail = detail.replaceAll(error.pointer, () => pointer)
    return { ...error, pointer }
  })
  return errors === undefined ? refusal : { ...refusal, detail, errors }
}

/** Increases an index in a JSON pointer by the number of omitted items before it. */
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

/** Reports whether a path is an item of the list; paths of one list are in order. */
const isItemOf = (path: Path, list: Path): boolean =>
  path.length === list.length + 1 && list.every((name, index) => name === path[index])
