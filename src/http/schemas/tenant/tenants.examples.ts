/** Examples of tenants: a customer of the operator. */

import { at } from '../shared/story.ts'
import { KEYS_WITH_TEXT } from './keys.examples.ts'

export const TENANT_INPUTS = [{ id: 'acme', name: 'Acme, Inc.', encryption: 'tenant_key' }]
export const TENANT_CHANGES = [{ quotas: { active_runs: 20, dollars_per_day: 50 } }]
export const TENANT_SUSPENSIONS = [{ running: 'cancel' }]

const tenant = {
  id: 'acme',
  object: 'tenant',
  name: 'Acme, Inc.',
  status: 'active',
  quotas: { active_runs: 20, dollars_per_day: 50 },
  encryption: 'tenant_key',
  cancelling: false,
  deletion: null,
  created_at: at('08:00:00.000'),
  updated_at: at('08:00:00.000'),
} as const
export const TENANTS = [tenant]

const [key] = KEYS_WITH_TEXT
export const TENANTS_WITH_KEY = [{ ...tenant, key: { id: key!.id, text: key!.key } }]

export const TENANT_LINES = [
  {
    ...{ object: 'tenant_export' as const, format: 1, tenant: 'acme' },
    exported_at: at('09:00:00.000'),
  },
  {
    ...{ object: 'tenant_row' as const, partition: 'acme/policy/tenant', key: 'head', version: 1 },
    body: '{}',
  },
  {
    ...{ object: 'tenant_object' as const, key: 'acme/files/notes.txt', size: 5 },
    body: 'aGVsbG8=',
  },
  { object: 'tenant_export_end' as const, rows: 1, objects: 1, left: [] },
]
export const TENANT_IMPORTS = [{ object: 'tenant_import', tenant: 'acme', rows: 1, objects: 1 }]
