/** Examples of API keys: the support desk's key. */

import { at } from '../shared/story.ts'

const API_KEY = '3v7b0d1x9k2m4q8r'
export const KEY_INPUTS = [
  { name: 'The desk', scopes: ['runs:*', 'approvals:read'], expires_at: '2027-11-23T00:00:00Z' },
  { scopes: ['*'], quotas: { active_runs: 5, dollars_per_day: 10 } },
]
export const KEY_RATE_LIMITS = [{ requests_per_second: 50, run_starts_per_minute: 600 }]
export const KEY_PATCHES = [
  { addresses: ['203.0.113.0/24', '2001:db8::/48'], rate_limits: { requests_per_second: 50 } },
  { addresses: null, quotas: { dollars_per_day: 20, active_runs: null } },
]
export const ROTATIONS = [{ overlap_seconds: 3_600 }]

const key = {
  id: API_KEY,
  object: 'api_key',
  name: 'The desk',
  scopes: ['runs:*', 'approvals:read'],
  current: false,
  expired: false,
  expires_at: '2027-11-23T00:00:00Z',
  created_at: at('08:00:00.000'),
  last_used_at: at('09:00:00.000'),
  addresses: ['203.0.113.0/24'],
  rate_limits: { requests_per_second: 50 },
  quotas: { dollars_per_day: 20 },
} as const

export const KEYS = [key]
export const KEYS_WITH_TEXT = [{ ...key, key: `strata_${API_KEY}_…` }]
