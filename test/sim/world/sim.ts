/** What the parts of one simulated world share. */

import type { Faults } from '../faults/faults.ts'
import type { Invariants } from '../laws/invariants.ts'
import type { Broker } from './broker.ts'
import type { ObjectServer } from './objects.ts'
import type { Process } from './process.ts'
import type { Chance } from './random.ts'
import type { Schedule } from './schedule.ts'
import type { StoreServer } from './store.ts'

/**
 * How wakes travel. `sqs`: long visibility, few receives. `cloudflare`: retried soon, then deleted.
 * `node`: one process, lanes in memory, nothing survives it. `objects`: no queue; a wake is a call to
 * the one object that holds its partition, which has it in memory (home.ts).
 */
export type Profile = 'sqs' | 'cloudflare' | 'node' | 'objects'

/** One fault at one operation, for exhaustive runs. */
export type Injected =
  | 'crash before'
  | 'crash after'
  | 'lost write'
  | 'hidden write'
  | 'refused'
  | 'slow'
  | 'twice'

export interface Sim {
  readonly profile: Profile
  readonly skews: boolean
  /** Each reading of a clock takes time; not in young or exact plans. */
  readonly wobbles: boolean
  readonly schedule: Schedule
  readonly chance: Chance
  readonly faults: Faults
  readonly store: StoreServer
  readonly objects: ObjectServer
  /** Runs of this world have memory. */
  readonly remembers: boolean
  /** Both tenants do the same under the same names. */
  readonly twins: boolean
  /** The operator halts tenants in this world. */
  readonly halts: boolean
  readonly broker: Broker
  readonly law: Invariants
  readonly processes: readonly Process[]
  /** Those that answer requests. */
  readonly doors: readonly Process[]
  readonly settings: SimSettings
  /** The webhook endpoint of a tenant, in seeds that have one. */
  readonly endpoint: { readonly tenant: string; readonly id: string } | undefined
  /** Operations so far: each has a number, the same in every run of the seed. */
  operations: number
  readonly inject: readonly { readonly at: number; readonly kind: Injected }[] | undefined
  /** Until when the provider of the models is down, in virtual time. */
  modelBackAt: number
  /** Virtual time of the last death or outage, or of the end of all faults. */
  readonly quietSince: number
  kill(process: Process): void
  rare(name: string): void
}

interface SimSettings {
  readonly flushMs: number
  readonly sliceMs: number
  readonly spillBytes: number
  readonly maxLiveChildren: number
  readonly maxDepth: number
  readonly modelPatienceSeconds: number
  readonly snapshotFacts: number | undefined
  readonly retentionMs: number | null
}

/** It always answers; what comes there is told apart from what comes to the webhooks of runs. */
export const ENDPOINT_URL = 'https://endpoint.example/'
