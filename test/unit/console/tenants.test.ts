/** The page of tenants: its address, IDs that the API accepts, and actions by state. */

import { describe, expect, it } from 'vitest'
import { fieldsOf, isQuota, QUOTA_NAMES, quotaChange } from '../../../src/console/tenants/quotas.ts'
import { actionsOf, isTenantId, tenantSearch } from '../../../src/console/tenants/search.ts'
import { TENANT_QUOTAS } from '../../../src/core/tenant-quotas.ts'
import { TENANT_ID, TenantChange } from '../../../src/http/schemas/tenant/tenants.ts'

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

describe('quotas', () => {
  const quotas = { active_runs: 5, dollars_per_day: 12.5 }

  it('fill the fields, and a change names only what differs', () => {
    const fields = fieldsOf(quotas)
    expect(fields).toMatchObject({ active_runs: '5', dollars_per_day: '12.5', tokens_per_day: '' })
    expect(quotaChange(quotas, fields)).toEqual({})
    const changed = {
      ...fields,
      active_runs: ' ',
      tokens_per_day: '1000',
      dollars_per_day: '12.50',
    }
    expect(quotaChange(quotas, changed)).toEqual({ active_runs: null, tokens_per_day: 1_000 })
  })

  it('are the quotas of the API, within its limits', () => {
    expect(QUOTA_NAMES.toSorted()).toEqual(TENANT_QUOTAS.toSorted())
    for (const name of QUOTA_NAMES) {
      for (const text of ['0', '1000', '1001', '1.5', '-1', '1e3', 'ten', '1000000001', '5 ']) {
        const change = { quotas: { [name]: Number(text) } }
        const isNumber = /^[\d.]+ ?$/.test(text)
        const isAccepted = isNumber && TenantChange.safeParse(change).success
        expect([name, text, isQuota(name, text)]).toEqual([name, text, isAccepted])
      }
      expect(isQuota(name, '')).toBe(true)
    }
  })
})

describe('the actions of a tenant', () => {
  it('follow its state', () => {
    const actions = (status: 'active' | 'paused' | 'suspended' | 'deleting', id = 'acme') =>
      actionsOf({ id, status }).join(' ')
    expect(actions('active')).toBe('edit pause suspend export delete')
    expect(actions('paused')).toBe('edit suspend resume export delete')
    expect(actions('suspended')).toBe('edit resume export delete')
    expect(actions('deleting')).toBe('')
    expect(actions('active', 'default')).toBe('edit pause export')
    expect(actions('paused', 'default')).toBe('edit resume export')
  })
})
