/** The customer for whom the desk works. */

import { KEYS_WITH_TEXT } from './keys.ts'
import { at } from './story.ts'

export const TENANT_INPUTS = [
  { id: 'acme', name: 'Acme, Inc.' },
  { id: 'acme', encrypted: true },
]
export const TENANT_CHANGES = [
  { suspended: true },
  { suspended: false, name: 'Acme' },
  { limits: { live_runs: 100, tokens_per_day: 1_000_000, files: null } },
]

const tenant = {
  id: 'acme',
  object: 'tenant',
  name: 'Acme, Inc.',
  status: 'active',
  limits: {
    ...{ live_runs: 100, tokens_per_day: 1_000_000, tokens_per_month: null },
    ...{ dollars_per_day: null, dollars_per_month: null, files: null, storage_bytes: null },
    ...{ schedules: null, endpoints: null },
  },
  encrypted: false,
  deletion: null,
  created_at: at('08:00:00.000'),
  updated_at: at('08:00:00.000'),
} as const
export const TENANTS = [tenant]

const [key] = KEYS_WITH_TEXT
export const TENANTS_WITH_KEY = [{ ...tenant, key: { id: key!.id, text: key!.key } }]

export const QUOTAS = [
  {
    ...{ limit: 'tokens_per_day' as const, value: 1_000_000, used: 48_210, reserved: 9_400 },
    resets_at: '2026-11-24T00:00:00.000Z',
  },
]

export const TENANT_LINES = [
  { object: 'tenant_export' as const, tenant: 'acme', exported_at: at('09:00:00.000') },
  {
    ...{ object: 'tenant_row' as const, partition: 'acme/policy/tenant', key: 'head', version: 1 },
    body: '{}',
  },
  {
    ...{ object: 'tenant_object' as const, key: 'acme/files/notes.txt', size: 5 },
    ...{ modified_at: at('08:30:00.000'), body: 'aGVsbG8=' },
  },
  { object: 'tenant_export_end' as const, rows: 1, objects: 1, left: [] },
]
