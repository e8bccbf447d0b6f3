/** How a bug is planted: texts of sources that are replaced as they are loaded, and where they stand. */

export interface Patch {
  readonly file: string
  readonly find: string
  readonly put: string
}
export interface Bug {
  readonly name: string
  readonly patches: readonly Patch[]
  /** Fewer than one world in some thousands shows it: to hunt it takes an hour, and a person. */
  readonly rare?: true
}

export const patch = (file: string, find: string, put: string): Patch => ({ file, find, put })
export const bug = (name: string, ...patches: Patch[]): Bug => ({ name, patches })
export const rareBug = (name: string, ...patches: Patch[]): Bug => ({ name, patches, rare: true })

export const ACCEPTS = 'src/core/run/accepts.ts'
export const DECIDE = 'src/core/run/decide.ts'
export const OWED = 'src/core/run/pending-effects.ts'
export const MACHINE = 'src/core/run/machine.ts'
export const EVOLVE = 'src/core/run/evolve.ts'
export const TOLD = 'src/core/webhook/subscriptions.ts'
export const FANOUT = 'src/core/fanout/machine.ts'
export const HEAD = 'src/engine/partition/head.ts'
export const LEDGER = 'src/engine/partition/transaction.ts'
export const PROJECT = 'src/engine/partition/project.ts'
export const ADVANCE = 'src/engine/worker/executor.ts'
export const LEASE = 'src/engine/partition/lease.ts'
export const TIMERS = 'src/engine/worker/timers.ts'
export const MAILBOX = 'src/engine/partition/mailbox.ts'
export const LOG = 'src/engine/partition/log.ts'
export const ROWS = 'src/engine/partition/rows.ts'
export const TICK = 'src/engine/worker/tick.ts'
export const DELIVER = 'src/engine/webhook/delivery.ts'
export const ATTEMPT = 'src/engine/webhook/attempt.ts'
export const ANNOUNCE = 'src/engine/run/effects/announce.ts'
export const CANCEL = 'src/engine/run/effects/cancel.ts'
export const MOVE = 'src/engine/worker/poison-guard.ts'
export const MODEL = 'src/engine/run/effects/model.ts'
export const SPAWN = 'src/engine/run/effects/spawn.ts'
export const TOOL = 'src/engine/run/effects/tool.ts'
export const STORE = 'test/sim/world/store.ts'
