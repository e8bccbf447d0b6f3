/**
 * The memory of a process between events, on one page. Losing any of it costs time only: nothing
 * durable rests on it. Each memory belongs to one store or bucket, because keys, versions and etags
 * mean something only there, so worlds in one process never see each other's.
 */

const MEMORIES = {
  logs: 'folded logs by partition, up to 10,000 facts; and partitions that were deleted',
  snapshots: 'up to which fact the snapshot of a partition goes',
  appenders: 'the last append in line, by partition',
  clocks: 'the two clocks as last read, and recent jumps between them',
  isolation: 'how many passes are under way, and whether one of them must be alone',
  counted: 'passes that were counted as suspicious and have not ended',
  spawned: 'children that this process has begun to create',
  policies: 'policies of tenants, where no other process can write them',
  keptPolicies: 'policies of tenants as read a moment ago, where settings say so',
  verdicts: 'policies of tenants as read for calls, for 100 ms',
  parents: 'lanes of parents, and about how many facts they have',
  keys: 'API keys for 30 s',
  browserSessions: 'sessions of browsers for 30 s',
  tenants: 'whether tenants are at work, and their limits, for 30 s',
  secrets: 'sealed secrets of tenants for 30 s',
  dataKeys: 'data keys of encrypted tenants, and which tenants have none, for a minute',
  endpoints: 'endpoints of tenants: exact where no other process writes, else for 30 s',
  identities: 'keys of the identity provider, and tokens that were verified',
  quotas: 'whose turn it is at a quota',
  requests: 'requests of keys and tenants in their token buckets',
  receivers: 'deliveries under way and answers of receivers, by host and tenant',
  signatures: 'wrong signatures by inbound hook',
  tests: 'test events of tenants in this minute',
  standIn: 'a sealed secret of no hook, for messages to ids that are none',
  blobs: 'texts by digest, 16 MB',
  media: 'pictures, sound and files by digest, 16 MB',
  writes: 'writes of blobs that are under way',
  pins: 'parsed pins by digest',
  tasks: 'parsed task lists by digest',
  layers: 'parsed files, compiled layers and resolved configs, by etag and listing',
  pages: 'pages of the web by tenant, 16 MB',
  robots: 'rules of sites for programs',
  memory: 'parts of the index of memories by etag, 16 MB as they are stored',
  readings: 'layers as they were a few seconds ago',
  unsealed: 'tenants whose audit has entries that nobody is sent to seal yet',
  seals: 'by tenant: the last page of its audit, and until when a pass over it is due',
  summaries: 'summaries of configs that are stored already',
  marks: 'when this process marked its last tick',
  readiness: 'whether storage answered, for a second',
} as const

/**
 * Memories of data alone: no promise, no timer, nothing of one event. Where one process has many
 * worlds of the same store, they may have these in common.
 */
const DATA: ReadonlySet<keyof typeof MEMORIES> = new Set([
  'keys',
  'browserSessions',
  'tenants',
  'keptPolicies',
  'secrets',
  'dataKeys',
  'endpoints',
  'blobs',
  'media',
  'pins',
  'tasks',
  'layers',
  'pages',
  'robots',
  'memory',
  'summaries',
] as const)

const owners = new WeakMap<object, object>()

/** Data is remembered of `owner` from now on where it would be of `of`. */
export function shareMemory(of: object, owner: object): void {
  if (of !== owner) owners.set(of, owner)
}

/** The owner may share with another one in its turn. */
function ownerOf(of: object): object {
  const owner = owners.get(of)
  return owner ? ownerOf(owner) : of
}

const memories = new WeakMap<object, Map<keyof typeof MEMORIES, unknown>>()

/** The memory of this name that belongs to a store or bucket; `make`: an empty one, with its bound. */
export function processMemory<T>(name: keyof typeof MEMORIES, make: () => T): (of: object) => T {
  return (its) => {
    const of = DATA.has(name) ? ownerOf(its) : its
    let memory = memories.get(of)
    if (!memory) {
      memory = new Map()
      memories.set(of, memory)
    }
    let found = memory.get(name) as T | undefined
    if (found === undefined) {
      found = make()
      memory.set(name, found)
    }
    return found
  }
}
