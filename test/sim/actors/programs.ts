/**
 * Programs that bring tools of their own: they find the calls that wait for them and bring the
 * results, some twice at once with different words, some too few of them, some never. In the end,
 * when nothing breaks any more, all do.
 */

import type { RunFact } from '../../../src/core/run/facts.ts'
import { callName } from '../../../src/http/openai/ids.ts'
import { resultOf } from '../laws/callers.ts'
import { type Shadow, type ShadowCall, TERMINAL } from '../shadow/shadow.ts'
import type { Answer, Line } from '../world/line.ts'
import type { Create, Programs as Look } from '../world/operations.ts'
import type { Sim } from '../world/sim.ts'

const ROUNDS = 400
const MOST_MS = 120_000
const OWN_TOOL = {
  type: 'function',
  name: 'own',
  description: 'A tool of the program',
  parameters: { type: 'object', properties: { token: { type: 'string' } } },
}

export class Programs {
  readonly #sim: Sim
  readonly #line: Line
  readonly #allDone: () => boolean
  readonly #left = new Set<string>()

  constructor(sim: Sim, line: Line, allDone: () => boolean) {
    this.#sim = sim
    this.#line = line
    this.#allDone = allDone
  }

  /** A run by `/v1/responses`, under its key; the id of the run, undefined: no answer came. */
  async respond({ tenant }: Create, input: string, key: string): Promise<string | undefined> {
    const body = { input, tools: [OWN_TOOL], background: true }
    const answer = await this.#post(tenant, body, key)
    if (!answer) return undefined
    const text = await answer.response.text()
    if (answer.status === 200) return JSON.parse(text).id.replace('resp_', 'run_')
    this.#sim.law.breach('I11_validIsAccepted', `${answer.status} ${text}`)
    return undefined
  }

  async look({ tenant, every }: Look): Promise<void> {
    for (let round = 0, pause = every; round < ROUNDS && !this.#atRest(); round += 1) {
      await this.#line.sleep(pause)
      pause = Math.min(MOST_MS, Math.round(pause * 1.1))
      for (const shadow of [...this.#sim.law.runs.values()]) {
        if (shadow.partition.startsWith(`${tenant}/`)) await this.#bring(tenant, shadow)
      }
    }
  }

  #atRest(): boolean {
    const { faults, law } = this.#sim
    if (!faults.over || !this.#allDone()) return false
    return [...law.runs.values()].every(({ status }) => TERMINAL.has(status))
  }

  async #bring(tenant: string, shadow: Shadow): Promise<void> {
    const [first, ...others] = openIn(shadow)
    if (!first) return
    const { faults } = this.#sim
    const chance = this.#sim.chance.fork(`results of ${first.id}`)
    if (this.#left.has(first.id) && !faults.over) return
    this.#left.add(first.id)
    if (!faults.over && chance.flip(0.15)) return
    if (!faults.over && chance.flip(0.2)) await this.#line.sleep(chance.between(1_000, 90_000))
    if (others.length > 0 && chance.flip(0.6)) await this.#tooFew(tenant, shadow, first)
    const calls = [first, ...others]
    const sent = [this.#send(tenant, shadow, calls, 'first')]
    if (chance.flip(0.4)) sent.push(this.#send(tenant, shadow, calls, 'second'))
    await Promise.all(sent)
    if (chance.flip(0.3)) await this.#send(tenant, shadow, calls, 'first')
  }

  /** One result where several calls wait. */
  async #tooFew(tenant: string, shadow: Shadow, call: ShadowCall): Promise<void> {
    const answer = await this.#post(tenant, { ...BACK, input: [item(shadow, call, 'alone')] })
    if (answer?.status === 400) this.#sim.rare('too few results of a caller')
  }

  async #send(
    tenant: string,
    shadow: Shadow,
    calls: readonly ShadowCall[],
    which: string,
  ): Promise<void> {
    const { law } = this.#sim
    const { partition } = shadow
    const input = calls.map((call) => item(shadow, call, which))
    const answer = await this.#post(tenant, { ...BACK, input })
    if (!answer || answer.status >= 500) return
    const text = await answer.response.text()
    if (answer.status === 409) return this.#sim.rare('results of a caller come too late')
    if (law.retention.isGone(partition)) return
    // The users of the tenant answer that.
    if (text.includes('asks the user, too')) return this.#sim.rare('a caller beside a question')
    if (answer.status !== 200) {
      return law.breach('I11_validIsAccepted', `${partition}: ${answer.status} ${text}`)
    }
    this.#sim.rare('a caller brings results')
    for (const call of calls) {
      const stands = said(shadow, call)
      if (stands === resultOf(call, which)) continue
      const message = `${partition} ${call.id}: ${which} was taken, and ${stands} stands`
      law.breach('I13_acknowledgedResultStands', message)
    }
  }

  #post(tenant: string, body: object, key?: string): Promise<Answer | undefined> {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    return this.#line.insist(8, tenant, 'POST', '/v1/responses', body, headers)
  }
}

const BACK = { background: true, tools: [OWN_TOOL] }

/** All that the model has asked of the program and nobody has answered. */
const openIn = ({ calls, status }: Shadow): ShadowCall[] =>
  TERMINAL.has(status)
    ? []
    : [...calls.values()].filter(({ mode, result }) => mode === 'caller' && !result)

function item({ partition, facts }: Shadow, call: ShadowCall, which: string) {
  const run = partition.split('/').at(-1)!
  const index = answerOf(facts, call).calls.findIndex(({ id }) => id === call.id)
  const call_id = callName({ run, step: call.step, index })
  return { type: 'function_call_output', call_id, output: resultOf(call, which) }
}

type AssistantMessage = Extract<RunFact, { readonly type: 'assistant.message' }>

const answerOf = (facts: readonly RunFact[], { step }: ShadowCall): AssistantMessage =>
  facts.find(
    (one): one is AssistantMessage => one.type === 'assistant.message' && one.step === step,
  )!

function said({ facts }: Shadow, { id }: ShadowCall): unknown {
  const result = facts.find((one) => one.type === 'tool.result' && one.call === id)
  return result?.type === 'tool.result' ? result.text : undefined
}
