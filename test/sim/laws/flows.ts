/**
 * The law of the data-flow policy: untrusted text and a call that reaches out do not meet, or only
 * where a person has approved it. What a run has read is gathered here from results in its log, in those of its subagents
 * and of its parents; the marks that the engine sets are not asked.
 */

import type { RunFact } from '../../../src/core/run/facts.ts'
import type { Shadow } from '../shadow/shadow.ts'
import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** A slow look at the policy ends just before the call. */
const OBEYED_MS = 2_000
const TROUBLED_MS = 5_000

export class Flows {
  readonly #since = new Map<string, { readonly at: number; readonly rule: 'ask' | 'deny' }>()
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** An administrator was told that it holds from now on. */
  limited(tenant: string, rule: 'ask' | 'deny'): void {
    this.#sim.rare('policy limits the flow of data')
    this.#since.set(tenant, { at: this.#sim.schedule.now, rule })
  }

  /** All tools of the simulated server may change something. */
  I20_untrustedTextGoesNowhere(shadow: Shadow, process: Process, id: string, tool: string): void {
    const since = this.#since.get(tenantOf(shadow))
    const { now } = this.#sim.schedule
    if (since === undefined || now - since.at < OBEYED_MS) return
    if (process.troubledAt > now - TROUBLED_MS) return
    const call = shadow.calls.get(id)
    const isApproved = since.rule === 'ask' && call?.asked?.decision === 'approve'
    if (isApproved) this.#sim.rare('approved after untrusted text')
    if (!call || isApproved || !this.#hasRead(shadow, call.step)) return
    const message = `${shadow.partition}: ${tool} is called after untrusted text`
    this.#sim.law.breach('I20_untrustedTextGoesNowhere', message)
  }

  /** Whether the model had surely read some when it gave the answer of this step. */
  #hasRead(shadow: Shadow, step: number): boolean {
    const { facts, spec } = shadow
    const at = facts.findIndex((fact) => fact.type === 'assistant.message' && fact.step === step)
    const before = facts.slice(0, at)
    if (before.some(isUntrusted)) return true
    const asked = before.findLastIndex(({ type }) => type === 'assistant.message')
    const told = before.slice(0, asked + 1).concat(before.filter(isWaited(shadow)))
    if (told.some((fact) => this.#comesWith(shadow, fact))) return true
    const parent = spec?.parent && this.#runOf(shadow, spec.parent.run_id)
    const spawn = parent?.calls.get(spec!.parent!.call)
    return parent !== undefined && spawn !== undefined && this.#hasRead(parent!, spawn.step)
  }

  /** The result of a subagent that has read some itself. */
  #comesWith(shadow: Shadow, fact: RunFact): boolean {
    if (fact.type !== 'subagent.announced') return false
    return this.#runOf(shadow, fact.announce.run_id)?.facts.some(isUntrusted) === true
  }

  #runOf = (shadow: Shadow, id: string): Shadow | undefined =>
    this.#sim.law.runs.get(`${tenantOf(shadow)}/run/${id}`)
}

const tenantOf = ({ partition }: Shadow): string => partition.split('/')[0]!

const isUntrusted = (fact: RunFact): boolean =>
  fact.type === 'tool.result' && fact.tool.startsWith('mcp__') && fact.status === 'ok'

/** Such an end is the result of its call: no answer comes before it. */
const isWaited =
  ({ calls }: Shadow) =>
  (fact: RunFact): boolean =>
    fact.type === 'subagent.announced' && calls.get(fact.call)?.waited === true
