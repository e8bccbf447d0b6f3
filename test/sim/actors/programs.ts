/**
 * Programs whose functions models call: some bring a result late, some two different ones at once,
 * some bring it again. In the end, when nothing breaks any more, all do.
 */

import { type Shadow, TERMINAL } from '../shadow/shadow.ts'
import type { Line } from '../world/line.ts'
import type { Programs as Look } from '../world/operations.ts'
import type { Sim } from '../world/sim.ts'

interface FunctionCall {
  readonly call: string
  readonly arguments: { readonly token: string }
}
interface Shown {
  readonly function_calls?: readonly FunctionCall[]
}

const ROUNDS = 400
const MOST_MS = 120_000

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

  async look({ tenant, every }: Look): Promise<void> {
    for (let round = 0, pause = every; round < ROUNDS && !this.#isAtRest(); round += 1) {
      await this.#line.sleep(pause)
      pause = Math.min(MOST_MS, Math.round(pause * 1.1))
      for (const shadow of [...this.#sim.law.runs.values()]) {
        if (!shadow.partition.startsWith(`${tenant}/`)) continue
        if (hasOpen(shadow)) await this.#performAll(tenant, shadow)
      }
    }
  }

  #isAtRest(): boolean {
    const { faults, law } = this.#sim
    if (!faults.over || !this.#allDone()) return false
    return [...law.runs.values()].every(({ status }) => TERMINAL.has(status))
  }

  async #performAll(tenant: string, shadow: Shadow): Promise<void> {
    const path = `/v1/runs/${shadow.partition.split('/').at(-1)}`
    const answer = await this.#line.ask(tenant, 'GET', path)
    if (answer?.status !== 200) return
    const { function_calls = [] } = (await answer.response.json()) as Shown
    await Promise.all(function_calls.map((call) => this.#perform(tenant, shadow, call)))
  }

  async #perform(tenant: string, shadow: Shadow, call: FunctionCall): Promise<void> {
    const { faults } = this.#sim
    const chance = this.#sim.chance.fork(`result of ${call.call}`)
    if (this.#left.has(call.call) && !faults.over) return
    this.#left.add(call.call)
    if (!faults.over && chance.flip(0.2)) return
    if (!faults.over && chance.flip(0.2)) await this.#line.sleep(chance.between(1_000, 90_000))
    const brought = [this.#bring(tenant, shadow, call, 'first')]
    if (chance.flip(0.4)) brought.push(this.#bring(tenant, shadow, call, 'second'))
    await Promise.all(brought)
    if (chance.flip(0.3)) await this.#bring(tenant, shadow, call, 'first')
  }

  async #bring(tenant: string, shadow: Shadow, call: FunctionCall, which: string): Promise<void> {
    const { partition } = shadow
    const { law } = this.#sim
    const output = `result of ${call.arguments.token} ${which}`
    const path = `/v1/runs/${partition.split('/').at(-1)}/functions/${call.call}`
    const answer = await this.#line.insist(6, tenant, 'POST', path, { output })
    if (!answer || answer.status >= 500) return
    await answer.response.text()
    const text = resultIn(shadow, call.call)
    const stands = text === output
    if (answer.status === 200) {
      this.#sim.rare('a function has its result')
      if (!stands) law.breach('I13_acknowledgedResultStands', `${path}: ${text}`)
      return
    }
    if (answer.status === 404 && law.retention.isGone(partition)) return
    if (answer.status !== 409) return law.breach('I11_validIsAccepted', `${path}: ${answer.status}`)
    this.#sim.rare('a result after another one, or after the end')
    // Nothing but another result or the end stands in the way of one.
    if (stands) law.breach('I13_acknowledgedResultStands', `${path}: 409 for the same result`)
  }
}

const resultIn = ({ facts }: Shadow, id: string): unknown =>
  facts.flatMap((fact) => (fact.type === 'tool.result' && fact.call === id ? [fact.text] : []))[0]

const hasOpen = ({ calls, status }: Shadow): boolean =>
  !TERMINAL.has(status) &&
  [...calls.values()].some(({ mode, result }) => mode === 'caller' && !result)
