/** The form of a secret and the address of its page. */

import { describe, expect, it } from 'vitest'
import { targetOf } from '../../../src/console/audit/state.ts'
import { secretSearch } from '../../../src/console/secrets/search.ts'
import {
  draftOf,
  inputOf,
  isComplete,
  isName,
  toggledUse,
  USES,
} from '../../../src/console/secrets/state.ts'
import { SECRET_NAME, SECRET_USES } from '../../../src/core/secret.ts'

const secret = {
  ...({ object: 'secret', name: 'SHOP_TOKEN', subject: null, version: 3 } as const),
  ...{ hosts: ['a.example', '*.b.example'], any_host: false },
  uses: ['model', 'search'] as ('model' | 'search')[],
  ...{ created_at: '2026-11-30T08:00:00Z', updated_at: '2026-11-30T08:30:00Z' },
}

describe('the draft of a secret', () => {
  it('has the uses and the names of the server', () => {
    expect(USES).toEqual(SECRET_USES)
    for (const name of ['A', '_a1', 'A'.repeat(128), 'A'.repeat(129), '1A', 'A-B', ''])
      expect([name, isName(name)]).toEqual([name, SECRET_NAME.test(name)])
  })

  it('can be sent with a name, a value, a use, and a host or every host', () => {
    const empty = draftOf()
    expect(isComplete(empty)).toBe(false)
    const full = { ...empty, name: 'A', value: ' v ', hosts: ' a.example, b.example\n' }
    expect(isComplete(full)).toBe(true)
    expect(inputOf(full)).toEqual({
      ...{ value: ' v ', hosts: ['a.example', 'b.example'], uses: ['mcp'] },
    })
    for (const lack of [{ name: '1' }, { value: '' }, { hosts: ' , ' }, { uses: [] }])
      expect(isComplete({ ...full, ...lack })).toBe(false)
    const open = { ...full, hosts: '', isAnyHost: true }
    expect([isComplete(open), inputOf(open)]).toEqual([
      true,
      { value: ' v ', any_host: true, uses: ['mcp'] },
    ])
  })

  it('of a replacement keeps the hosts and uses, and has no value', () => {
    const draft = draftOf(secret)
    expect(draft.value).toBe('')
    expect(inputOf({ ...draft, value: 'next' })).toEqual({
      ...{ value: 'next', hosts: secret.hosts, uses: secret.uses },
    })
    expect(toggledUse(toggledUse(draft.uses, 'search'), 'mcp')).toEqual(['model', 'mcp'])
  })
})

it('the address selects a secret by a valid name only', () => {
  expect(secretSearch({ sel: 'SHOP_TOKEN' })).toEqual({ sel: 'SHOP_TOKEN' })
  for (const sel of ['1A', 'A-B', '', 7, undefined]) expect(secretSearch({ sel })).toEqual({})
})

it('an audit entry links to its secret, unless it is about several', () => {
  const entry = { kind: 'secret', layer: '', action: 'update' }
  const target = (name: string) => targetOf({ ...entry, name } as never)
  expect(target('SHOP_TOKEN')).toEqual({ to: '/secrets', search: { sel: 'SHOP_TOKEN' } })
  expect([target('*'), target('A B')]).toEqual([undefined, undefined])
})
