/**
 * Users who are asked by a model: some answer, some twice at once with different words, some when
 * the question has expired, some never. In the end, when nothing breaks any more, all do.
 */

import { MESSAGE } from '../laws/conversations.ts'
import { type Shadow, type ShadowCall, TERMINAL } from '../shadow/shadow.ts'
import type { Line } from '../world/line.ts'
import type { Users as Look } from '../world/operations.ts'
import type { Sim } from '../world/sim.ts'

const ROUNDS = 400
const MOST_MS = 120_000

export class Users {
  readonly #sim: Sim
  readonly #line: Line
  readonly #allDone: () => boolean
  readonly #left = new Set<string>()

  constructor(sim: Sim, line: Line, allDone: () => boolean) {
    this.#sim = sim
    this.#line = line
    this.#allDone = allDone
  }

  async look({ tenant, every }: Look): Promise<void> {
    for (let round = 0, pause = every; round < ROUNDS && !this.#atRest(); round += 1) {
      await this.#line.sleep(pause)
      pause = Math.min(MOST_MS, Math.round(pause * 1.1))
      for (const shadow of [...this.#sim.law.runs.values()]) {
        const asked = shadow.partition.startsWith(`${tenant}/`) ? openIn(shadow) : undefined
        if (asked) await this.#answer(tenant, shadow, asked)
      }
    }
  }

  #atRest(): boolean {
    const { faults, law } = this.#sim
    if (!faults.over || !this.#allDone()) return false
    return [...law.runs.values()].every(({ status }) => TERMINAL.has(status))
  }

  async #answer(tenant: string, shadow: Shadow, call: ShadowCall): Promise<void> {
    const { faults } = this.#sim
    const chance = this.#sim.chance.fork(`answer to ${call.id}`)
    if (this.#left.has(call.id) && !faults.over) return
    this.#left.add(call.id)
    if (!faults.over && chance.flip(0.2)) return
    if (!faults.over && chance.flip(0.2)) await this.#line.sleep(chance.between(1_000, 90_000))
    const sent = [this.#send(tenant, shadow, call, 'first')]
    if (chance.flip(0.4)) sent.push(this.#send(tenant, shadow, call, 'second'))
    await Promise.all(sent)
    // Said again under its key it is the same answer.
    if (chance.flip(0.3)) await this.#send(tenant, shadow, call, 'first')
  }

  async #send(tenant: string, shadow: Shadow, call: ShadowCall, which: string): Promise<void> {
    const { partition } = shadow
    const { law } = this.#sim
    const content = `${MESSAGE}answer ${call.id} ${which}`
    const headers = { 'idempotency-key': `answer-${call.id}-${which}` }
    const path = `/v1/runs/${partition.split('/').at(-1)}/messages`
    const answer = await this.#line.insist(6, tenant, 'POST', path, { content }, headers)
    if (!answer || answer.status >= 500) return
    if (answer.status === 409) return this.#sim.rare('an answer after the end')
    if (answer.status === 404 && law.retention.isGone(partition)) return
    if (answer.status !== 202) {
      return law.breach('I11_validIsAccepted', `${path}: ${answer.status}`)
    }
    const { answers } = (await answer.response.json()) as { answers: string | null }
    acknowledged(this.#sim, shadow, content, answers)
  }
}

/** An acknowledged answer stands; a message that is none is read as any other. */
export function acknowledged(
  sim: Sim,
  { partition, calls }: Shadow,
  text: string,
  answers: string | null,
): void {
  const answered = [...calls.values()].find(({ question }) => question?.first?.text === text)
  if ((answered?.id ?? null) !== answers) {
    const message = `${partition}: ${text} answers ${answered?.id}, and ${answers} was said`
    return sim.law.breach('I13_acknowledgedAnswerStands', message)
  }
  sim.rare(answers === null ? 'a message that answers nothing' : 'a question is answered')
  const known = sim.law.messages.some((one) => one.partition === partition && one.text === text)
  if (answers === null && !known) sim.law.messages.push({ partition, text })
}

const openIn = ({ calls, status }: Shadow): ShadowCall | undefined =>
  TERMINAL.has(status)
    ? undefined
    : [...calls.values()].find(({ question, result }) => question && !question.outcome && !result)
