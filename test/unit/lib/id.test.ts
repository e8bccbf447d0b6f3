import { describe, expect, it } from 'vitest'
import { derivedId, isId, random } from '../../../src/lib/id.ts'

describe('an id', () => {
  const id = derivedId('run', 'cause')

  it('has the format of its type, whether derived from its cause or random', () => {
    expect(isId('run', id)).toBe(true)
    expect(isId('fan', random('fan', new Uint8Array(17)))).toBe(true)
    expect(isId('fan', id)).toBe(false)
  })

  it.each([
    '',
    'run_',
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    id.toUpperCase(),
    id.replace('_', '-'),
    `${id.slice(0, -1)}/`,
    `${id.slice(0, -1)}.`,
  ])('is not %j', (text) => {
    expect(isId('run', text)).toBe(false)
  })

  it('of an approval combines the IDs of its run and itself', () => {
    const [, run] = id.split('_')
    expect(isId('apr', `apr_${run}${run}`)).toBe(true)
    expect(isId('apr', `apr_${run}`)).toBe(false)
  })
})
