/**
 * Index of this process's in-memory state between events. Losing this state costs only time. Each
 * memory belongs to one store or bucket, because keys, versions, and ETags are meaningful only
 * there. Worlds in one process are therefore isolated.
 */

const MEMORIES = {
  logs: 'folded logs by partition, up to 10,000 facts; and partitions that were deleted',
  snapshots: "the last fact in each partition's snapshot",
  appenders: 'the last queued write, by partition',
  clocks: 'the last readings of the two clocks, and recent jumps between them',
  isolation: 'the number of passes in progress, and whether one needs exclusive access',
  counted: 'suspect passes that have not ended',
  spawned: 'children whose creation this process has started',
  policies: 'tenant policies, if no other process can write them',
  verdicts: 'tenant policies as read for calls, for 100 ms',
  parents: 'lanes of parents, and their approximate number of facts',
  keys: 'verified API keys, for key_cache_seconds',
  issuers: 'keys of OpenID Connect issuers, for ten minutes',
  browserSessions: 'verified browser sessions, for key_cache_seconds',
  signIns: 'failed sign-ins by client address, for a minute',
  tokens: 'decrypted tokens by token text',
  tenants: 'states of tenants, for tenant_state_seconds',
  ciphers:
    'opened data keys of tenants, for a minute; and tenants that have none, which never changes',
  rates: 'rate limits: buckets and shares of API keys and tenants',
  endpoints: 'tenant endpoints: exact if no other process writes, otherwise for 30 s',
  quotaEvents: 'events of exceeded quotas that were sent, by receivers',
  receivers: 'deliveries in progress and responses of receivers, by host and tenant',
  signatures: 'invalid signatures by inbound hook',
  blobs: 'texts by digest, 16 MB',
  media: 'images, audio, and files by digest, 16 MB',
  writes: 'blob writes in progress',
  pins: 'parsed pins by digest',
  tasks: 'parsed task lists by digest',
  layers: 'parsed files, compiled layers, and resolved configs, by ETag and listing',
  pages: 'web pages by tenant, 16 MB',
  robots: 'robots.txt rules by site',
  unreachable: 'addresses unreachable for a tenant, for a minute',
  memory: 'segments of the memory index by ETag, 16 MB as stored',
  readings: 'recently read layers, for a few seconds',
  summaries: 'config summaries that are already stored',
  marks: 'the time of the last recorded tick',
  asking: 'runs with a model call in progress',
  circuits: 'unavailable models, by tenant',
  readiness: 'whether storage responded, for a second',
  unsealed: 'tenants with audit entries for which no pass was requested',
  chains: 'the last page of audit chains, and their requested pass',
  marker: 'the bucket marker, and when it was last read',
} as const

/**
 * Names of memories that contain only data: no promise, no timer, no event. Worlds with the same
 * store may share them.
 */
const DATA: ReadonlySet<keyof typeof MEMORIES> = new Set([
  'keys',
  'tokens',
  'tenants',
  'ciphers',
  'rates',
  'endpoints',
  'quotaEvents',
  'blobs',
  'media',
  'pins',
  'tasks',
  'layers',
  'pages',
  'robots',
  'memory',
  'summaries',
  'circuits',
  'marker',
] as const)

const owners = new WeakMap<object, object>()

/** Lets `of` use the data memories of `owner`. */
export function shareMemory(of: object, owner: object): void {
  owners.set(of, owner)
}

const memories = new WeakMap<object, Map<keyof typeof MEMORIES, unknown>>()

/**
 * Returns a function that gets the memory of this name for a store or bucket; `make` creates an
 * empty, bounded memory.
 */
export function processMemory<T>(name: keyof typeof MEMORIES, make: () => T): (of: object) => T {
  return (its) => {
    const of = (DATA.has(name) ? owners.get(its) : undefined) ?? its
    let memory = memories.get(of)
    if (!memory) {
      memory = new Map()
      memories.set(of, memory)
    }
    let value = memory.get(name) as T | undefined
    if (value === undefined) {
      value = make()
      memory.set(name, value)
    }
    return value
  }
}
