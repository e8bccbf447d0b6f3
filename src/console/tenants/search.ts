/** State of the page of tenants in its URL, and the actions that a tenant's state allows. */

import type { components } from '../../client/index.ts'

export type Tenant = components['schemas']['Tenant']

export interface TenantSearch {
  /** ID of the selected tenant. */
  readonly sel?: string
}

const ID = /^[a-z][a-z0-9-]{1,30}$/

/** Whether the API accepts a text as the ID of a tenant. */
export const isTenantId = (text: string): boolean => ID.test(text)

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function tenantSearch({ sel }: Record<string, unknown>): TenantSearch {
  return typeof sel === 'string' && isTenantId(sel) ? { sel } : {}
}

export type TenantAction = 'edit' | 'pause' | 'suspend' | 'resume' | 'export' | 'delete'

/** ID of the tenant to which the operator's keys belong. */
const OPERATOR = 'default'

/** Returns the actions that the API allows in the tenant's state. */
export function actionsOf({ id, status }: Pick<Tenant, 'id' | 'status'>): readonly TenantAction[] {
  if (status === 'deleting' || status === 'deleted') return []
  const pauses = status === 'active' ? (['pause'] as const) : []
  const resumes = status === 'active' ? [] : (['resume'] as const)
  if (id === OPERATOR) return ['edit', ...pauses, ...resumes, 'export']
  const suspends = status === 'suspended' ? [] : (['suspend'] as const)
  return ['edit', ...pauses, ...suspends, ...resumes, 'export', 'delete']
}
