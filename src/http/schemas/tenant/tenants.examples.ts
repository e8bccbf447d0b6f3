/** Examples of tenants: a customer of the operator. */

import { at } from '../shared/story.ts'
import { KEYS_WITH_TEXT } from './keys.examples.ts'

export const TENANT_INPUTS = [{ id: 'acme', name: 'Acme, Inc.' }]
export const TENANT_CHANGES = [{ quotas: { active_runs: 20, dollars_per_day: 50 } }]
export const TENANT_SUSPENSIONS = [{ running: 'cancel' }]

const tenant = {
  id: 'acme',
  object: 'tenant',
  name: 'Acme, Inc.',
  status: 'active',
  quotas: { active_runs: 20, dollars_per_day: 50 },
  cancelling: false,
  deletion: null,
  created_at: at('08:00:00.000'),
  updated_at: at('08:00:00.000'),
} as const
export const TENANTS = [tenant]

const [key] = KEYS_WITH_TEXT
export const TENANTS_WITH_KEY = [{ ...tenant, key: { id: key!.id, text: key!.key } }]
