/** What really happened outside: model calls, tool calls and posts, judged as they happen. */

import type { Outcome } from '../../src/lib/outcome.ts'
import type { ModelRequest, WebAnswer, WebRequest } from '../../src/ports/world.ts'
import { isShortened } from './actors.ts'
import { I13_guardedOnlyIfApproved } from './approvals.ts'
import { Conversations } from './conversations.ts'
import type { Process } from './process.ts'
import type { Shadow } from './shadow.ts'
import { ENDPOINT_URL, type Sim } from './sim.ts'

interface Received {
  readonly ids: Set<string>
  posts: number
  accepted: number
}
interface Performed {
  count: number
  readonly keys: Set<string>
}

export class Effects {
  readonly received = new Map<string, Received>()
  readonly performedOf = new Map<string, Performed>()
  readonly conversations: Conversations
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
    this.conversations = new Conversations({ breach: (id, text) => this.#breach(id, text) })
  }

  asked(process: Process, request: ModelRequest): void {
    const plan = this.conversations.judge(request)
    const shadow = this.#sim.law.births.byPlan.get(plan)
    if (!shadow) return
    this.I12_cancelIsHeard(shadow, process, 'the model is asked')
    if (!isShortened(request.messages)) {
      this.#sim.law.sessions.I3_historyIsWhole(shadow, request)
    }
  }

  summarised(request: ModelRequest): void {
    this.conversations.I20_systemIsTrusted(request)
    this.#sim.rare('a conversation is shortened')
  }

  I12_cancelIsHeard(shadow: Shadow, process: Process, what: string): void {
    const { now } = this.#sim.schedule
    if (shadow.cancelledAt === undefined || now - shadow.cancelledAt < 45_000) return
    if (now - process.troubledAt < 120_000) return
    this.#breach('I12_cancelIsHeard', `${shadow.partition}: ${what} long after the cancel`)
  }

  /** A call leaves a process: the intent of a `once` call must be committed by then. */
  calls(process: Process, tool: string, given: Record<string, unknown>, key: string): void {
    const call = key.split('.')[0]!
    const shadow = this.#sim.law.callOwner.get(call)
    if (shadow) this.I12_cancelIsHeard(shadow, process, `${tool} is called`)
    if (tool === 'wire') I13_guardedOnlyIfApproved(this.#sim, shadow?.calls.get(call), given)
    if (tool !== 'pay' && tool !== 'wire') return
    if (shadow?.calls.get(call)?.intent === undefined) {
      this.#breach('I8_intentBeforeOnce', `${tool} ${given.token} is called without an intent`)
    }
  }

  performed(tool: string, given: Record<string, unknown>, key: string): void {
    const token = String(given.token)
    const known = this.performedOf.get(token) ?? { count: 0, keys: new Set() }
    known.count += 1
    known.keys.add(key)
    this.performedOf.set(token, known)
    if (known.keys.size > 1)
      this.#breach('I8_oneKeyPerCall', `${tool} ${token} came under two keys`)
    if (known.count > 1 && (tool === 'pay' || tool === 'wire'))
      this.#breach('I8_onceIsOnce', `${token} happened twice`)
    if (known.count > 1) this.#sim.rare('effect repeated under its key')
  }

  gotPost(request: WebRequest, answer: Outcome<WebAnswer, string>): void {
    this.#sim.law.I22_noSecret(JSON.stringify([request.headers, request.body]), request.url)
    const { type, data } = JSON.parse(request.body ?? '') as {
      type: string
      data: { run_id: string; seq: number }
    }
    const to = request.url === ENDPOINT_URL ? 'endpoint ' : ''
    const event = `${to}${data.run_id} ${data.seq}`
    const known = this.received.get(event) ?? { ids: new Set(), posts: 0, accepted: 0 }
    known.ids.add(request.headers['webhook-id'] ?? '')
    known.posts += 1
    if (answer.ok && answer.value.status >= 200 && answer.value.status < 300) known.accepted += 1
    this.received.set(event, known)
    if (known.accepted > 1) this.#sim.rare('event delivered twice')
    if (known.ids.size > 1) this.#breach('I10_oneIdPerEvent', `${event} came under two ids`)
    const logs = [...this.#sim.law.runs.values(), ...this.#sim.law.fanouts.byPartition.values()]
    const log = logs.find(({ spec }) => spec?.id === data.run_id)
    if (log?.facts[data.seq - 1]?.type !== type) {
      this.#breach('I10_onlyWhatIsCommitted', `${event} (${type}) was sent and is not in the log`)
    }
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}
