/** Settings of two runs side by side, and their lists of tools, skills, servers, and agents. */

import { sortedJson } from '../log/compare.ts'

export interface Setting {
  /** Path of the value, such as `limits.max_steps`. */
  readonly name: string
  /** Value as text; undefined if the run does not have the setting. */
  readonly left: string | undefined
  readonly right: string | undefined
}

export const isEqual = ({ left, right }: Setting): boolean => left === right

/** Returns the values of two objects by name. A list is one value. */
export function settingsOf(left: object, right: object): readonly Setting[] {
  const [ofLeft, ofRight] = [valuesOf(left), valuesOf(right)]
  const names = [...new Set([...ofLeft.keys(), ...ofRight.keys()])]
  return names.map((name) => ({ name, left: ofLeft.get(name), right: ofRight.get(name) }))
}

function valuesOf(value: object, path = ''): Map<string, string> {
  const pairs = Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (member === null || member === undefined) return []
    if (typeof member === 'object' && !Array.isArray(member)) {
      return [...valuesOf(member, `${path}${name}.`)]
    }
    return [[`${path}${name}`, typeof member === 'string' ? member : sortedJson(member)]]
  })
  return new Map(pairs)
}

export interface EntryPair {
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Entry as indented JSON; an empty text if the side does not have it. */
  readonly left: string
  readonly right: string
}

/** Returns the entries that differ; entries are identified by name. */
export function entryPairs<T>(
  left: readonly T[],
  right: readonly T[],
  nameOf: (entry: T) => string,
): readonly EntryPair[] {
  const textsOf = (entries: readonly T[]) =>
    new Map(entries.map((entry) => [nameOf(entry), sortedJson(entry, 2)]))
  const [ofLeft, ofRight] = [textsOf(left), textsOf(right)]
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])].flatMap((name) => {
    const [leftText = '', rightText = ''] = [ofLeft.get(name), ofRight.get(name)]
    if (leftText === rightText) return []
    const change = leftText === '' ? 'added' : rightText === '' ? 'removed' : 'changed'
    return [{ name, change, left: leftText, right: rightText }] as const
  })
}
