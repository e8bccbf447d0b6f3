/** Values of the option `--quota`, such as `active_runs=20`; `none` removes a quota. */

import { WrongUse } from './usage-error.ts'

const NUMBER = /^\d+(\.\d+)?$/

/** Parses quotas. The server checks the range of each value. */
export function quotasOf<N extends string>(
  texts: readonly string[] = [],
  names: readonly N[],
): Partial<Record<N, number | null>> {
  const entries = texts.map((text): [N, number | null] => {
    const [name = '', value = ''] = text.split('=', 2)
    const quota = names.find((candidate) => candidate === name)
    if (!quota) throw new WrongUse(`--quota requires one of ${names.join(', ')}`)
    if (value !== 'none' && !NUMBER.test(value))
      throw new WrongUse(`--quota ${name}=… requires a number or none`)
    return [quota, value === 'none' ? null : Number(value)]
  })
  return Object.fromEntries(entries) as Partial<Record<N, number | null>>
}
