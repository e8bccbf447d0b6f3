/**
 * The workload of a seed: runs as trees of planned steps, and what clients do with them. A plan is
 * the run's own input as JSON, so the model of the simulation can read in the conversation what it
 * is to answer, whoever asks and however often.
 */

import type { Join } from '../../../src/core/run/log/facts.ts'
import { CALL_USD, CHAIN_MODEL, SMALL_MODEL } from '../actors/actors.ts'
import { CANARY } from './canary.ts'
import { withFunctions } from './functions.ts'
import { haltOperations } from './halts.ts'
import { withMemory } from './memory.ts'
import type {
  Create,
  Kind,
  Operation,
  PlannedCall,
  PlannedRun,
  PlannedStep,
  PlannedWebhook,
} from './operations.ts'
import { type Draws, openOperations } from './pages-plan.ts'
import { withQuestions } from './questions.ts'
import type { Chance } from './random.ts'
import { scheduleOperations, withBeginnings } from './schedule-plan.ts'
import { tenantOperations } from './tenants.ts'

export const TENANTS = ['red', 'blue'] as const
const RECEIVERS = ['steady', 'flapping', 'gone', 'busy', 'moved', 'down'] as const

const KINDS: readonly Kind[] = [
  'lookup',
  'lookup',
  'upsert',
  'upsert',
  'pay',
  'pay',
  'pay',
  'write',
  'read',
  'malformed',
  'unknown',
]

interface Shape {
  readonly depth: number
  readonly width: number
  /** Calls that a person is asked about. */
  readonly guarded: boolean
}

export function workload(chance: Chance): Operation[] {
  const roots = chance.pick([1, 1, 1, 2, 2, 3])
  const guarded = chance.flip(0.3)
  const shape = {
    depth: chance.pick([1, 1, 1, 2]),
    width: chance.pick([1, 2, 3, 3, 4, 8]),
    guarded,
  }
  const operations: Operation[] = []
  for (let index = 0; index < roots; index += 1) {
    operations.push(...rootOperations(chance.fork(`root ${index}`), `r${index}`, shape))
  }
  const fan = chance.fork('fan-out')
  if (fan.flip(0.25)) operations.push(...fanoutOperations(fan, 'f0'))
  const pages = chance.fork('open fan-out')
  if (pages.flip(0.2)) operations.push(...openOperations(pages, 'o0', drawsOf(pages)))
  const talk = chance.fork('session')
  if (talk.flip(0.3)) operations.push(...sessionOperations(talk, guarded))
  const rules = chance.fork('policy')
  if (rules.flip(guarded ? 0.3 : 0.1)) {
    // Who waits for a person waits long: the policy is another one when the call is made.
    const tool = guarded ? 'mcp__sim__wire' : rules.pick(['sessions_spawn', 'mcp__sim__upsert'])
    const at = rules.int(60_000)
    operations.push({ op: 'deny', at, name: tool, tenant: rules.pick(TENANTS), tool })
  }
  if (guarded) {
    for (const tenant of TENANTS) {
      const every = chance.pick([2_000, 10_000, 45_000])
      operations.push({ op: 'people', at: 1_000, name: `people of ${tenant}`, tenant, every })
    }
  }
  const questions = chance.fork('questions')
  const asked = questions.flip(0.15) ? withQuestions(questions, operations, TENANTS) : operations
  const functions = chance.fork('functions')
  const called = functions.flip(0.08) ? withFunctions(functions, asked, TENANTS) : asked
  const memory = chance.fork('memory')
  const noted = memory.flip(0.15) ? withMemory(memory, called) : called
  const begins = chance.fork('beginnings')
  const all = begins.flip(0.05) ? withBeginnings(begins, noted) : [...noted]
  const times = chance.fork('schedules')
  if (times.flip(0.12)) all.push(...scheduleOperations(times, TENANTS))
  const halts = chance.fork('halts')
  if (halts.flip(0.06)) all.push(...haltOperations(halts, TENANTS))
  const twins = chance.fork('belongings')
  if (twins.flip(0.04)) all.push(...tenantOperations(twins, TENANTS))
  return all.sort((left, right) => left.at - right.at)
}

function rootOperations(chance: Chance, name: string, shape: Shape): Operation[] {
  const at = chance.int(40_000)
  const create = createOperation(chance, name, shape, at)
  const deadly = chance.fork('deadly').flip(0.02)
  return [
    deadly ? { ...create, plan: withDeadly(create.plan) } : create,
    ...around(chance, name, at),
  ]
}

/**
 * In some homes of objects: a run of which whoever asks the model for it dies of the answer, beside
 * others that its object holds.
 */
export function killers(chance: Chance): Operation[] {
  if (!chance.flip(0.12)) return []
  const shape = { depth: 1, width: 1, guarded: false }
  const at = chance.int(30_000)
  const child = (place: number): PlannedCall => {
    const token = `k0.0.c${place}`
    const plan = planRun(chance.fork(token), token, shape, 1)
    const deadly = { id: token, steps: [], length: 20, deadly: true } as const
    return { kind: 'spawn', token, behaviour: 'plain', child: place === 1 ? deadly : plan }
  }
  const steps = [{ calls: [0, 1, 2].map(child), ms: 200 }]
  const create = createOperation(chance, 'k0', shape, at)
  const { budget: _, timeout: __, maxSteps: ___, join: ____, model: _____, ...rest } = create
  const unlimited = { timeout: undefined, maxSteps: undefined, join: undefined }
  return [{ ...rest, ...unlimited, plan: { id: 'k0', steps, length: 20 } }]
}

/** One more call in its first step. */
function withDeadly(plan: PlannedRun): PlannedRun {
  const call = { kind: 'lookup', token: `${plan.id}.0.d`, behaviour: 'deadly' } as const
  const [first = { calls: [], ms: 200 }, ...rest] = plan.steps
  return { ...plan, steps: [{ ...first, calls: [...first.calls, call] }, ...rest] }
}

function createOperation(chance: Chance, name: string, shape: Shape, at: number): Create {
  const operation: Create = {
    op: 'create',
    at,
    name,
    tenant: chance.pick(TENANTS),
    plan: planRun(chance, name, shape, 0),
    join: chance.flip(0.3) ? planJoin(chance) : undefined,
    timeout: chance.flip(0.2) ? chance.between(5, 300) : undefined,
    maxSteps: chance.flip(0.1) ? chance.between(1, 3) : undefined,
    webhook: chance.flip(0.45) ? planWebhook(chance) : undefined,
    wait: chance.flip(0.2) ? chance.between(1, 40) : undefined,
    ...(chance.flip(0.5) ? { keyed: chance.pick(['once', 'once', 'twice'] as const) } : {}),
    ...(chance.flip(0.15) ? { budget: planBudget(chance) } : {}),
    ...(shape.guarded && chance.flip(0.7) ? { approvals: planApprovals(chance) } : {}),
  }
  if (isShort(operation.plan) && chance.fork('model').flip(0.14)) {
    return { ...operation, model: SMALL_MODEL }
  }
  return chance.fork('chain').flip(0.1) ? { ...operation, model: CHAIN_MODEL } : operation
}

/** A plan that a small model is shown whole: of a large input it gets the beginning only. */
const isShort = (plan: PlannedRun): boolean => JSON.stringify(plan).length < 8_000

/** What clients do with a run besides creating it. */
function around(chance: Chance, name: string, at: number): Operation[] {
  const operations: Operation[] = []
  const cancels = chance.pick([0, 0, 0, 0, 1, 2])
  for (let index = 0; index < cancels; index += 1) {
    const after = chance.pick([100, 1_000, 5_000, 20_000, 90_000])
    operations.push({ op: 'cancel', at: at + 50 + chance.int(after), name })
  }
  if (chance.flip(0.4)) operations.push({ op: 'follow', at: at + chance.int(30_000), name })
  if (chance.flip(0.3)) operations.push({ op: 'look', at: at + chance.int(60_000), name })
  const messages = chance.pick([0, 0, 0, 1, 1, 2])
  for (let index = 0; index < messages; index += 1) {
    const text = `${name} ${index}`
    operations.push({ op: 'message', at: at + 50 + chance.int(30_000), name, text })
  }
  if (chance.flip(0.06)) {
    const ms = chance.between(1_000, 200_000)
    operations.push({ op: 'newer', at: at + chance.int(20_000), name, ms })
  }
  return operations
}

/** Some small runs of one session, which come faster than they can be done. */
function sessionOperations(chance: Chance, guarded: boolean): Operation[] {
  const began = chance.int(20_000)
  const tenant = chance.pick(TENANTS)
  const shape = { depth: 1, width: 2, guarded }
  // The own session of its first run, or one that was made.
  const own = chance.flip(0.2)
  const session = own ? 's0.0' : 's0'
  const count = chance.between(2, 4)
  const operations: Operation[] = own ? [] : [{ op: 'session', at: began, name: 's0', tenant }]
  for (let index = 0; index < count; index += 1) {
    const name = `s0.${index}`
    const at = began + chance.int(index === 0 ? 1_000 : 30_000)
    const onBusy = chance.pick(['enqueue', 'enqueue', 'enqueue', 'interrupt', 'reject'] as const)
    const create = createOperation(chance, name, shape, at)
    const joins = own && index === 0 ? {} : { session, onBusy }
    operations.push({ ...create, tenant, ...joins }, ...around(chance, name, at))
  }
  return operations
}

const planBudget = (chance: Chance) =>
  chance.flip(0.5)
    ? { max_model_calls: chance.between(1, 8) }
    : inDollars(chance, { max_tokens: chance.between(50, 900) })

const fanoutBudget = (chance: Chance) =>
  chance.flip(0.25) ? { budget: planBudget(chance) } : undefined

/** Half of the budgets of tokens are one of dollars, for as many calls. */
const inDollars = (chance: Chance, budget: { readonly max_tokens: number }) =>
  chance.fork('dollars').flip(0.5)
    ? { max_cost_usd: Math.round((budget.max_tokens / 110) * CALL_USD * 100) / 100 }
    : budget

function planApprovals(chance: Chance) {
  const expires_seconds = chance.pick([5, 30, 120, 600])
  const on_expiry = chance.pick(['deny', 'deny', 'approve'] as const)
  const unattended = chance.flip(0.05)
  return { expires_seconds, on_expiry, ...(unattended ? { unattended } : {}) }
}

const drawsOf = (chance: Chance): Draws => ({
  budget: () => fanoutBudget(chance.fork('budget')),
  run: (id) => planRun(chance, id, { depth: 1, width: 1, guarded: false }, 1),
  join: () => planJoin(chance),
  webhook: () => fanoutWebhook(chance),
  tenant: () => chance.pick(TENANTS),
})

/** Many small runs at once; more of them than may live at a time. */
function fanoutOperations(chance: Chance, name: string): Operation[] {
  const at = chance.int(40_000)
  const count = chance.pick([0, 1, 3, 6, 10])
  const shape = { depth: 1, width: 1, guarded: false }
  const tasks = Array.from({ length: count }, (_, index) =>
    planRun(chance, `${name}.${index}`, shape, 1),
  )
  const join = chance.flip(0.5) ? planJoin(chance) : undefined
  const quorum = typeof join?.policy === 'object' ? join.policy.quorum : 0
  const operations: Operation[] = [
    {
      op: 'fanout',
      at,
      name,
      tenant: chance.pick(TENANTS),
      tasks,
      // What could never be met is refused.
      join: quorum > count ? undefined : join,
      closing: chance.flip(0.5) ? planRun(chance, `${name}.then`, shape, 1) : undefined,
      webhook: chance.flip(0.5) ? fanoutWebhook(chance) : undefined,
      ...fanoutBudget(chance.fork('budget')),
    },
  ]
  const cancels = chance.pick([0, 0, 0, 1, 2])
  for (let index = 0; index < cancels; index += 1) {
    const after = chance.pick([100, 1_000, 5_000, 20_000, 90_000])
    operations.push({ op: 'cancel', at: at + 50 + chance.int(after), name })
  }
  return operations
}

function fanoutWebhook(chance: Chance): PlannedWebhook {
  const url = `https://${chance.pick(RECEIVERS)}.example/hook`
  const secret = `whsec_${CANARY}`
  if (chance.flip(0.5)) return { url, secret }
  return { url, secret, events: ['fanout.completed', 'fanout.cancelled', 'subagent.failed'] }
}

function planRun(chance: Chance, id: string, shape: Shape, depth: number): PlannedRun {
  const steps: PlannedStep[] = []
  const count = chance.pick(depth === 0 ? [0, 1, 2, 2, 3, 3, 4] : [0, 0, 1, 1, 2])
  for (let step = 0; step < count; step += 1) {
    const calls: PlannedCall[] = []
    const wide = chance.pick([1, 1, 2, 3, 5])
    for (let index = 0; index < wide; index += 1) {
      calls.push(planCall(chance, `${id}.${step}.${index}`, shape))
    }
    const [written] = steps.flatMap((one) => one.calls.filter(({ kind }) => kind === 'write'))
    if (written && chance.flip(0.6)) {
      const token = `${id}.${step}.e`
      calls.push({ kind: 'edit', token, behaviour: 'plain', of: written.token })
    }
    if (depth < shape.depth && chance.flip(depth === 0 ? 0.7 : 0.3)) {
      const children = chance.between(1, depth === 0 ? shape.width : 2)
      for (let index = 0; index < children; index += 1) {
        const token = `${id}.${step}.c${index}`
        const child = planRun(chance, token, shape, depth + 1)
        const timeout = chance.flip(0.15) ? chance.between(5, 200) : undefined
        const spawn = { kind: 'spawn', token, behaviour: 'plain', child } as const
        calls.push({
          ...spawn,
          ...(timeout === undefined ? {} : { timeout }),
          ...waits(chance, token),
        })
      }
    }
    steps.push({ calls, ms: chance.pick([200, 1_000, 3_000, 8_000]) })
  }
  const length = chance.flip(0.1) ? 6_000 : 20
  return chance.flip(0.04) ? { id, steps, length, broken: true } : { id, steps, length }
}

/** In a quarter of the trees most spawns are waited for. */
const waits = (chance: Chance, token: string): Pick<PlannedCall, 'wait'> =>
  chance.fork('waits').flip(0.25) && chance.fork(`${token} waits`).flip(0.7) ? { wait: true } : {}

function planCall(chance: Chance, token: string, { guarded }: Shape): PlannedCall {
  const behaviour = chance.pick(['plain', 'plain', 'plain', 'slow', 'huge', 'fails'] as const)
  const kind = guarded && chance.flip(0.25) ? 'wire' : chance.pick(KINDS)
  const shown = kind === 'lookup' && chance.fork(`picture ${token}`).flip(0.15)
  return { kind, token, behaviour: shown ? 'picture' : behaviour }
}

function planJoin(chance: Chance): Join {
  return {
    policy: chance.pick(['all', 'any', { quorum: chance.between(1, 4) }] as const),
    deadline_seconds: chance.flip(0.4) ? chance.between(2, 120) : null,
    on_child_failure: chance.pick(['continue', 'continue', 'fail'] as const),
    cancel_rest: chance.flip(0.7),
  }
}

function planWebhook(chance: Chance): PlannedWebhook {
  const url = `https://${chance.pick(RECEIVERS)}.example/hook`
  const secret = `whsec_${CANARY}`
  if (chance.flip(0.5)) return { url, secret }
  return {
    url,
    secret,
    events: ['run.completed', 'run.cancelled', 'subagent.spawned', 'subagent.failed'],
  }
}
