/** The part of the table of limits that is about access: tenants, keys, their requests, and secrets that tenants keep. */

import { bound } from './limit.ts'

export const ACCESS_LIMITS = {
  export_partitions: bound(1_000_000, 'Of one export of a tenant: their names are read at once'),
  tenants: bound(10_000, 'Of a deployment, deleted ones not counted: each is found by its list'),
  quota_live_runs: bound(
    1_000,
    'Highest `live_runs` of a tenant: each has a place in one row, written with each run',
  ),
  quota_files: bound(100_000, 'Highest `files` of a tenant: all are listed to be counted anew'),
  quota_output_tokens: bound(
    8_192,
    'Reserved for an answer whose length nobody has bounded; longer ones are rare',
  ),
  quota_call_seconds: bound(
    1_200,
    'Until then a call has ended, or its worker is dead: it counts as it was reserved',
  ),
  endpoints: bound(50, 'Of a tenant: each event is matched with all of them'),
  hooks: bound(100, 'Inbound hooks of a tenant: one page of their list shows all'),
  api_keys: bound(100, 'Of a tenant, with those that have expired and were not revoked'),
  requests_per_second: bound(
    5_000,
    'Of a tenant, in each process, after a burst of ten seconds: two cores serve a thousand runs',
  ),
  key_requests_per_second: bound(
    2_500,
    'Of an API key, in each process, after a burst of ten seconds: half is left to the other keys',
  ),
  browser_sessions: bound(
    50,
    'Of an API key at once: of each browser that is signed in with it, for twelve hours',
  ),
  browser_session_seconds: bound(
    43_200,
    'A day at work; whoever comes back tomorrow signs in anew',
  ),
  sign_in_links: bound(20, 'Of an API key at once: each is good for ten minutes'),
  sign_in_link_seconds: bound(600, 'It is clicked at once, or was lost in a log or a chat'),
  key_addresses: bound(20, 'Ranges that a key counts from; each request compares with all of them'),
  token_seconds: bound(
    3_600,
    'A token cannot be taken back alone: it ends with its key or by itself',
  ),
  key_overlap_seconds: bound(604_800, 'Who has not exchanged a key in a week has lost it'),
  secrets: bound(100, 'Of a tenant: all of them are read at once and searched for in results'),
  secret_bytes: bound(8_192, 'Bytes of one: a private key has 3 KB, servers refuse longer headers'),
  secrets_bytes: bound(262_144, 'Bytes of all of a tenant together, which are in memory at once'),
  secret_hosts: bound(10, 'Hosts that one may be sent to; what goes to more goes anywhere'),
} as const
