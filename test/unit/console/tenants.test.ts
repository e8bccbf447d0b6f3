/** The page of tenants: its address, IDs that the API accepts, and actions by state. */

import { describe, expect, it } from 'vitest'
import { actionsOf, isTenantId, tenantSearch } from '../../../src/console/tenants/search.ts'
import { TENANT_ID } from '../../../src/http/schemas/tenant/tenants.ts'

describe('the address of the page of tenants', () => {
  it('selects a tenant, and drops what is no ID', () => {
    expect(tenantSearch({ sel: 'acme', more: 1 })).toEqual({ sel: 'acme' })
    for (const sel of [undefined, 7, '', '../x', 'A', 'a'.repeat(32)])
      expect(tenantSearch({ sel })).toEqual({})
  })

  it('accepts the IDs that the API accepts', () => {
    for (const id of ['acme', 'a1', 'a', '1a', 'a_b', 'a-b', 'Acme', 'ä1', 'a'.repeat(31)])
      expect([id, isTenantId(id)]).toEqual([id, TENANT_ID.test(id)])
  })
})

describe('the actions of a tenant', () => {
  it('follow its state', () => {
    const actions = (status: 'active' | 'paused' | 'suspended' | 'deleting', id = 'acme') =>
      actionsOf({ id, status }).join(' ')
    expect(actions('active')).toBe('pause suspend export delete')
    expect(actions('paused')).toBe('suspend resume export delete')
    expect(actions('suspended')).toBe('resume export delete')
    expect(actions('deleting')).toBe('')
    expect(actions('active', 'default')).toBe('pause export')
    expect(actions('paused', 'default')).toBe('resume export')
  })
})
