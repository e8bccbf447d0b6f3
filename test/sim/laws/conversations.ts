/**
 * What the model was asked, request by request: a conversation only grows, results stand in call
 * order beside the calls they belong to, a child reports once, untrusted text stays data.
 */

import type { AssistantPart, Message } from '../../../src/core/message.ts'
import type { ModelRequest } from '../../../src/ports/world.ts'
import { CHAIN_MODEL, isShortened, planned, planStart, SECOND_MODEL } from '../actors/actors.ts'
import { CANARY, UNTRUSTED } from '../world/canary.ts'

interface Law {
  breach(id: string, message: string): void
}

/** How a message to a live run begins. */
export const MESSAGE = 'MESSAGE '

const BLOCK = /<subagent_result boundary="[0-9a-f]+">\n(\{[^\n]*\})/g

export class Conversations {
  /** Messages to live runs that some request contained. */
  readonly read = new Set<string>()
  readonly #law: Law
  /** By plan and turn: what each request so far said before the answer. */
  readonly #asked = new Map<string, Set<string>>()
  readonly #trusted = new WeakSet<object>()

  constructor(law: Law) {
    this.#law = law
  }

  /** Judges a request; the id of the plan that it belongs to. */
  judge(request: ModelRequest): string {
    const { plan, turn } = planned(request)
    // What a model is not shown says which model that is, and a chain has two.
    const parts = request.messages.map((message) =>
      JSON.stringify(message).replaceAll(SECOND_MODEL, CHAIN_MODEL),
    )
    this.I20_systemIsTrusted(request)
    if (!isShortened(request.messages)) {
      this.I6_conversationsOnlyGrow(plan.id, turn, request.messages, parts)
    }
    this.I11_messagesEnterOnce(plan.id, request.messages)
    this.I6_resultsStandWithTheirCalls(plan.id, request.messages)
    if (request.messages.some((one) => JSON.stringify(one).includes('<subagent_result'))) {
      this.I7_eachChildReportsOnce(plan.id, request.messages)
    }
    return plan.id
  }

  I20_systemIsTrusted(request: ModelRequest): void {
    const { system, notes, tools } = request
    const said = `${system}${notes ?? ''}`
    const known = this.#trusted.has(tools)
    if (!known) this.#trusted.add(tools)
    const text = known ? said : `${said}${JSON.stringify(tools)}`
    if (text.includes(UNTRUSTED))
      this.#law.breach('I20_systemIsTrusted', 'foreign text in the system role')
    if (text.includes(CANARY)) this.#law.breach('I22_noSecret', 'a secret in a prompt')
  }

  /** The request of a turn is that of the turn before, then its answer, then what came after. */
  I6_conversationsOnlyGrow(
    plan: string,
    turn: number,
    messages: readonly Message[],
    parts: readonly string[],
  ): void {
    const last = messages.findLastIndex(({ role }) => role === 'assistant')
    const asked = this.#asked.get(`${plan} ${turn}`) ?? new Set()
    const whole = parts.join('')
    if (whole.includes(CANARY)) this.#law.breach('I22_noSecret', 'a secret in a prompt')
    this.#asked.set(`${plan} ${turn}`, asked.add(whole))
    const past = turn === 0 ? '' : parts.slice(0, last).join('')
    if (turn === 0 || this.#asked.get(`${plan} ${turn - 1}`)?.has(past)) return
    this.#law.breach('I6_conversationsOnlyGrow', `${plan}, turn ${turn}: its past has changed`)
  }

  I11_messagesEnterOnce(plan: string, messages: readonly Message[]): void {
    const sent = messages.flatMap((one) =>
      one.role === 'user' && String(one.text).startsWith(MESSAGE) ? [String(one.text)] : [],
    )
    for (const text of sent) this.read.add(text)
    if (new Set(sent).size < sent.length) this.#law.breach('I11_messagesEnterOnce', plan)
  }

  I6_resultsStandWithTheirCalls(plan: string, messages: readonly Message[]): void {
    messages.forEach((message, index) => {
      if (message.role !== 'tool') return
      const before = messages[index - 1]
      const parts: readonly AssistantPart[] = before?.role === 'assistant' ? before.parts : []
      const calls = parts.filter((part) => part.type === 'call')
      const inOrder = calls.every((call, place) => message.results[place]?.call === call.id)
      if (!inOrder || calls.length !== message.results.length) {
        this.#law.breach('I6_resultsInCallOrder', `${plan}: results are not those of the calls`)
      }
      message.results.forEach(({ text }, place) => {
        const token = /"token":"([^"]+)"/.exec(String(calls[place]?.arguments))?.[1]
        // A report stands with the call that asked for it.
        const [, report] = /<subagent_result boundary="\w+">\n(\{[^\n]*\})/.exec(String(text)) ?? []
        const label = report && (JSON.parse(report) as Reported).label
        if (label != null && !String(calls[place]?.arguments).includes(`"${label}"`)) {
          this.#law.breach('I6_resultsStandWithTheirCalls', `${plan}: ${label} answers another`)
        }
        const said = /UNTRUSTED result of (\S+)/.exec(String(text))?.[1]
        if (said !== undefined && said !== token) {
          this.#law.breach('I6_resultsStandWithTheirCalls', `${plan}: ${said} answers ${token}`)
        }
      })
    })
  }

  I7_eachChildReportsOnce(plan: string, messages: readonly Message[]): void {
    const start = planStart(messages)
    const shortened = isShortened(messages)
    const spawned: string[] = []
    const told = new Map<string, string>()
    for (const [index, message] of messages.entries()) {
      // A fan-out's closing run is told of all tasks right after what it was asked.
      if (index === 1 && message.role === 'user') {
        const ids = [...String(message.text).matchAll(BLOCK)].map(([, json]) => runIn(json!))
        const runs = ids.filter((id) => id !== null)
        if (new Set(runs).size < runs.length) this.#law.breach('I7_eachTaskReportsOnce', plan)
        continue
      }
      if (message.role === 'tool') {
        for (const { text } of message.results) {
          const id = /^\{"run_id":"(run_\w+)"/.exec(String(text))?.[1]
          if (id) spawned.push(id)
          // One that was waited for reports in the result of its own call.
          for (const [, json] of String(text).matchAll(BLOCK)) {
            const { run_id, status } = JSON.parse(json!) as Reported
            if (told.has(run_id)) this.#law.breach('I7_eachChildReportsOnce', `${plan}: ${run_id}`)
            told.set(run_id, status)
            spawned.push(run_id)
          }
        }
      }
      if (message.role !== 'user') continue
      let place = -1
      for (const [, json] of String(message.text).matchAll(BLOCK)) {
        const { run_id, status } = JSON.parse(json!) as Reported
        const order = spawned.indexOf(run_id)
        // A session forgets a step that was cut short, and not what its subagents reported.
        // A summary may stand for the answer that started it.
        if (order < 0 && (index < start || shortened)) continue
        if (order <= place) this.#law.breach('I7_blocksInSpawnOrder', `${plan}: ${run_id}`)
        place = order
        const earlier = told.get(run_id)
        const late =
          (earlier === 'timed_out' || earlier === 'not_waited_for') && status === 'completed'
        if (earlier !== undefined && !late)
          this.#law.breach('I7_eachChildReportsOnce', `${plan}: ${run_id}`)
        told.set(run_id, status)
      }
    }
  }
}

interface Reported {
  readonly run_id: string
  readonly label: string | null
  readonly status: string
}

const runIn = (json: string): string | null =>
  (JSON.parse(json) as { run_id: string | null }).run_id
