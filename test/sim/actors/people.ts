/**
 * People: they find questions in the inbox and decide, some twice, some late, two of them at once
 * with different minds; and they send messages to runs that may have ended.
 */

import type { Policy } from '../../../src/core/policy.ts'
import { canonical } from '../../../src/lib/digest.ts'
import { MESSAGE } from '../laws/conversations.ts'
import { OBEYED_MS } from '../laws/effects.ts'
import { TERMINAL } from '../shadow/shadow.ts'
import type { Known } from '../world/known.ts'
import type { Line } from '../world/line.ts'
import type { Deny, Flow, People as Look } from '../world/operations.ts'
import { APPROVALS, memoryOf } from '../world/setup.ts'
import type { Sim } from '../world/sim.ts'
import { acknowledged } from './answers.ts'

interface Question {
  readonly id: string
  readonly call: string
  readonly run_id: string
  readonly arguments: string
  readonly args_hash: string
}
/** Parts of the policy that administrators change. */
type Rules = Pick<Policy, 'deny' | 'data_flow'>
interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly arguments?: unknown
  readonly args_hash?: string
}

const ROUNDS = 400
const MOST_MS = 120_000

export class People {
  readonly #sim: Sim
  readonly #line: Line
  readonly #allDone: () => boolean

  /** `allDone`: nobody else wants anything any more. */
  constructor(sim: Sim, line: Line, allDone: () => boolean) {
    this.#sim = sim
    this.#line = line
    this.#allDone = allDone
  }

  /** Looks at the inbox again and again, less often as time goes by, until there is nobody to ask. */
  async look({ tenant, every }: Look): Promise<void> {
    for (let round = 0, pause = every; round < ROUNDS && !this.#atRest(); round += 1) {
      await this.#line.sleep(pause)
      pause = Math.min(MOST_MS, Math.round(pause * 1.1))
      const answer = await this.#line.ask(tenant, 'GET', '/v1/approvals')
      if (answer?.status !== 200) continue
      const { data } = (await answer.response.json()) as { data: Question[] }
      for (const question of data) await this.#judge(tenant, question)
    }
  }

  #atRest(): boolean {
    const { faults, law } = this.#sim
    if (!faults.over || !this.#allDone()) return false
    return [...law.runs.values()].every(({ status }) => TERMINAL.has(status))
  }

  async #judge(tenant: string, question: Question): Promise<void> {
    const { chance, faults } = this.#sim
    // Some are left until time decides them.
    if (!faults.over && chance.flip(0.3)) return
    const second = chance.fork(`second thoughts about ${question.id}`)
    // Denied for everybody by now, and then approved for this once: the policy counts.
    if (!faults.over && second.flip(0.05)) {
      await this.deny({ tenant, tool: 'mcp__sim__wire' })
      await this.#line.sleep(OBEYED_MS + 1_000)
    }
    const first = this.#draw(question)
    const asked = [this.#decide(tenant, question, first)]
    if (chance.flip(0.3)) asked.push(this.#decide(tenant, question, this.#draw(question)))
    await Promise.all(asked)
    if (chance.flip(0.2)) await this.#decide(tenant, question, first)
  }

  #draw(question: Question): Decision {
    const { chance } = this.#sim
    if (chance.flip(0.35)) return { decision: 'deny' }
    const { args_hash } = question
    if (!chance.flip(0.15)) return { decision: 'approve', args_hash }
    const given = JSON.parse(question.arguments) as { token: string }
    return { decision: 'approve', arguments: { token: given.token, behaviour: 'fails' } }
  }

  async #decide(tenant: string, { id, call, run_id }: Question, given: Decision): Promise<void> {
    const path = `/v1/approvals/${id}/decision`
    const answer = await this.#line.ask(tenant, 'POST', path, given)
    if (!answer || answer.status >= 500) return
    const partition = `${tenant}/run/${run_id}`
    const asked = this.#sim.law.runs.get(partition)?.calls.get(call)?.asked
    const where = `${partition} ${call}: ${answer.status} for ${given.decision}`
    if (answer.status === 200) {
      const instead = given.arguments === undefined ? undefined : canonical(given.arguments)
      const stands = asked?.decision === given.decision && asked.instead === instead
      if (instead !== undefined) this.#sim.rare('approved with other arguments')
      if (!stands) this.#breach('I13_acknowledgedDecisionStands', `${where}, ${asked?.decision}`)
      return
    }
    if (answer.status === 409) {
      if (asked?.decision) return this.#sim.rare('decided before by another')
      return this.#sim.rare('decided while the run went on')
    }
    if (answer.status === 404 && this.#sim.law.retention.isGone(partition)) return
    if (answer.status !== 410) return this.#breach('I13_aDecisionIsHeard', where)
    this.#sim.rare(
      asked?.decision === 'expired' ? 'approval after expiry' : 'approval after the end',
    )
  }

  /** An administrator denies a tool, under the version that was read. */
  async deny({ tenant, tool }: Pick<Deny, 'tenant' | 'tool'>): Promise<void> {
    const done = await this.#change(tenant, ({ deny }) => ({
      deny: { ...deny, tools: [...deny.tools, tool] },
    }))
    if (done) this.#sim.law.effects.denied(tenant, tool)
  }

  /** An administrator switches the data-flow policy on. */
  async flow({ tenant, rule = 'deny' }: Pick<Flow, 'tenant' | 'rule'>): Promise<void> {
    const done = await this.#change(tenant, ({ data_flow }) => ({
      data_flow: { ...data_flow, outward_after_untrusted: rule },
    }))
    if (done) this.#sim.law.effects.flows.limited(tenant, rule)
  }

  async #change(tenant: string, by: (policy: Rules) => Partial<Rules>): Promise<boolean> {
    const read = await this.#line.insist(6, tenant, 'GET', '/v1/policy')
    if (read?.status !== 200) return false
    const etag = read.response.headers.get('etag') ?? ''
    const { deny, data_flow } = (await read.response.json()) as Rules
    const rest = { approvals: APPROVALS, memory: memoryOf(this.#sim), deny, data_flow }
    const body = { ...rest, ...by(rest) }
    const written = await this.#line.ask(tenant, 'PUT', '/v1/policy', body, { 'if-match': etag })
    if (written && written.status !== 200 && written.status < 500 && written.status !== 412) {
      this.#breach('I11_validIsAccepted', `PUT /v1/policy: ${written.status}`)
    }
    return written?.status === 200
  }

  /** With a key, so that it is told once however often it is sent. */
  async send({ tenant, id, partition }: Known, name: string): Promise<void> {
    const text = `${MESSAGE}${name}`
    const headers = { 'idempotency-key': `message-${name.replace(/\W/g, '_')}` }
    const path = `/v1/runs/${id}/messages`
    const answer = await this.#line.insist(6, tenant, 'POST', path, { content: text }, headers)
    if (answer?.status === 202) {
      const { answers } = (await answer.response.json()) as { answers: string | null }
      const shadow = this.#sim.law.runs.get(partition)
      if (shadow) acknowledged(this.#sim, shadow, text, answers)
    } else if (answer?.status === 409) this.#sim.rare('message to a run that has ended')
    else if (answer?.status === 404 && this.#sim.law.retention.isGone(partition)) return
    else if (answer) this.#breach('I11_validIsAccepted', `${path}: ${answer.status}`)
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
