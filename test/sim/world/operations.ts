/** What clients do in a simulated world, as plain data: a seed's workload, a regression's plan. */

import type { Join } from '../../../src/core/run/log/facts.ts'

export type Kind =
  | 'lookup'
  | 'upsert'
  | 'pay'
  /** Happens once, and a person is asked first. */
  | 'wire'
  | 'write'
  /** Changes what an earlier step has written. */
  | 'edit'
  | 'read'
  | 'spawn'
  /** Asks the user. */
  | 'ask'
  /** Happens once; its server asks the user in the middle of the call. */
  | 'vault'
  /** A function of the program that has started the run. */
  | 'function'
  /** Replaces the list of the run. */
  | 'todo'
  /** Adds to memory, and searches it for what an earlier step has added. */
  | 'remember'
  | 'recall'
  | 'malformed'
  | 'unknown'
/** `deadly`: whoever calls it dies of its answer, each time. */
type Behaviour = 'plain' | 'slow' | 'huge' | 'fails' | 'deadly' | 'picture'

export interface PlannedCall {
  readonly kind: Kind
  /** Unique in the whole world: an effect carries it, so what happened can be counted. */
  readonly token: string
  readonly behaviour: Behaviour
  readonly child?: PlannedRun
  /** Of an edit or a search: the token of the write. */
  readonly of?: string
  readonly timeout?: number
  /** Of a question: seconds until nobody is waited for any more. */
  readonly expires?: number
  /** Of a spawn: its end is the result of the call. */
  readonly wait?: true
}
export interface PlannedStep {
  readonly calls: readonly PlannedCall[]
  readonly ms: number
}
export interface PlannedRun {
  readonly id: string
  readonly steps: readonly PlannedStep[]
  /** Length of the final answer. */
  readonly length: number
  /** The model refuses this run for good. */
  readonly broken?: true
  /** Whoever asks the model for it dies of the answer. */
  readonly deadly?: true
}

export interface PlannedWebhook {
  readonly url: string
  readonly secret?: string
  readonly events?: readonly string[]
}

export interface Create {
  readonly op: 'create'
  readonly at: number
  readonly name: string
  readonly tenant: string
  readonly plan: PlannedRun
  readonly join: Join | undefined
  readonly timeout: number | undefined
  readonly maxSteps: number | undefined
  readonly webhook: PlannedWebhook | undefined
  readonly wait: number | undefined
  /** Under an Idempotency-Key; `twice`: two requests at once. */
  readonly keyed?: 'once' | 'twice'
  /** The name of a session, or of a root whose own session is gone on with. */
  readonly session?: string
  readonly onBusy?: 'enqueue' | 'interrupt' | 'reject'
  /** It begins so long after it was asked for (ms), and must begin within so many seconds. */
  readonly startIn?: number
  readonly expiresIn?: number
  /** Instead of the default one. */
  readonly model?: string
  readonly budget?: {
    readonly max_model_calls?: number
    readonly max_tokens?: number
    readonly max_cost_usd?: number
  }
  readonly approvals?: {
    readonly expires_seconds: number
    readonly on_expiry: 'deny' | 'approve'
    readonly unattended?: boolean
  }
}
export interface Fanout {
  readonly op: 'fanout'
  readonly at: number
  readonly name: string
  readonly tenant: string
  readonly tasks: readonly PlannedRun[]
  readonly join: Join | undefined
  readonly closing: PlannedRun | undefined
  readonly webhook: PlannedWebhook | undefined
  readonly budget?: Create['budget']
}
/** A fan-out whose tasks are handed in by pages. */
export interface OpenFanout extends Omit<Fanout, 'op' | 'tasks'> {
  readonly op: 'open'
  readonly pages: readonly (readonly PlannedRun[])[]
  /** In which order they are handed in, some more than once; `twice`: two requests at once. */
  readonly order: readonly { readonly page: number; readonly twice: boolean }[]
  /** `early`: it is tried before all pages have come, too; `never`: the client dies before. */
  readonly seal: 'once' | 'early' | 'twice' | 'never'
}
interface Named {
  readonly at: number
  readonly name: string
}
/** A session that runs can join by its name. */
export interface Session extends Named {
  readonly op: 'session'
  readonly tenant: string
}
/** People who look at the tenant's inbox so often (ms) and decide what they find. */
export interface People extends Named {
  readonly op: 'people'
  readonly tenant: string
  readonly every: number
}
/** Users who answer what the models of a tenant ask them. */
export interface Users extends Named {
  readonly op: 'users'
  readonly tenant: string
  readonly every: number
}
/** Programs that perform the functions which the models of a tenant call. */
export interface Programs extends Named {
  readonly op: 'programs'
  readonly tenant: string
  readonly every: number
}
interface Message extends Named {
  readonly op: 'message'
  readonly text: string
}
/** A newer release writes to the run, and is rolled back after so long (ms). */
interface Newer extends Named {
  readonly op: 'newer'
  readonly ms: number
}
/** The tenant's policy denies a tool from now on. */
export interface Deny extends Named {
  readonly op: 'deny'
  readonly tenant: string
  readonly tool: string
}
/** The operator halts a tenant for so long (ms). */
export interface Halt extends Named {
  readonly op: 'halt'
  readonly tenant: string
  readonly to: 'pause' | 'suspend'
  readonly ms: number
}
/** A schedule that is due each minute, `slots` times, and deleted when all is over. */
export interface ScheduleOperation extends Named {
  readonly op: 'schedule'
  readonly tenant: string
  readonly slots: number
  readonly overlap: 'skip' | 'queue' | 'cancel_previous' | 'allow'
  readonly catch_up: 'none' | 'latest' | 'all'
  /** Two writers at once. */
  readonly twice: boolean
  /** Another input after so long (ms); a fire by hand after so long again. */
  readonly edits?: number
  readonly byHand?: number
  readonly plan: PlannedRun
}
/** All that a tenant has, of each kind something, under names that the other tenant uses too. */
export interface Belongings extends Named {
  readonly op: 'belongings'
  readonly tenant: string
  readonly plan: PlannedRun
  readonly tasks: readonly PlannedRun[]
}
interface Plain extends Named {
  readonly op: 'cancel' | 'follow' | 'look'
}
export type Operation =
  | Deny
  | Halt
  | Create
  | Fanout
  | OpenFanout
  | Session
  | ScheduleOperation
  | Belongings
  | People
  | Users
  | Programs
  | Message
  | Newer
  | Plain
