/** What really happened outside: model calls, tool calls and posts, judged as they happen. */

import { type AssistantPart, type Body, bodiesOf, isRef } from '../../../src/core/message.ts'
import { sha256 } from '../../../src/lib/digest.ts'
import { hiddenIn, unescaped } from '../../../src/lib/invisible-characters.ts'
import type { Outcome } from '../../../src/lib/outcome.ts'
import type { ModelRequest, ToolCall, WebAnswer, WebRequest } from '../../../src/ports/world.ts'
import { isShortened, planned, SECOND_MODEL } from '../actors/actors.ts'
import type { Shadow, ShadowCall } from '../shadow/shadow.ts'
import { UNTRUSTED } from '../world/canary.ts'
import type { Process } from '../world/process.ts'
import { ENDPOINT_URL, type Sim } from '../world/sim.ts'
import { I13_guardedOnlyIfApproved } from './approvals.ts'
import { Attempts } from './attempts.ts'
import { Conversations } from './conversations.ts'
import { I10_lateIsNoFact, lateChild } from './late.ts'
import { isAccepted, Posts } from './posts.ts'
import { I13_aPauseIsAnswered } from './questions.ts'

/** Results wait for others a quarter of a second, then a commit takes its time. */
const KEPT_MS = 1_500

/** Between the last look at the policy and the call. */
export const OBEYED_MS = 2_000

/** What has stood in the log for so long, whoever looks has read. */
const KNOWN_MS = 5_000

interface Received {
  readonly ids: Set<string>
  posts: number
  accepted: number
}
interface Performed {
  count: number
  readonly keys: Set<string>
}

/** Whether the request contains the last answer that the log has, word for word. */
function knowsLastAnswer({ facts, answeredSeq }: Shadow, { messages }: ModelRequest): boolean {
  const fact = facts[answeredSeq - 1]
  if (fact?.type !== 'assistant.message') return true
  const shown = messages.findLast(({ role }) => role === 'assistant')
  return shown?.role === 'assistant' && marksOf(shown.parts) === marksOf(fact.parts)
}

/** By what an answer is known: how its texts begin, and its calls. */
const marksOf = (parts: readonly AssistantPart[]): string =>
  parts
    .map((part) => {
      if (part.type === 'call') return part.id
      return (isRef(part.text) ? part.text.preview : part.text).slice(0, MARK_LENGTH)
    })
    .join('\n')
const MARK_LENGTH = 60

export class Effects {
  readonly received = new Map<string, Received>()
  readonly performedOf = new Map<string, Performed>()
  readonly conversations: Conversations
  readonly posts: Posts
  readonly attempts: Attempts
  /** Answers of tools and their digests, by call. */
  readonly #said = new Map<string, Set<string>>()
  readonly #denied = new Map<string, number>()
  readonly #heard = new Map<string, { readonly process: Process; readonly at: number }>()
  readonly #sim: Sim

  constructor(sim: Sim) {
    this.#sim = sim
    this.posts = new Posts(sim)
    this.attempts = new Attempts(sim)
    this.conversations = new Conversations({ breach: (id, text) => this.#breach(id, text) })
  }

  asked(process: Process, request: ModelRequest): void {
    const plan = this.conversations.judge(request)
    const shadow = this.#sim.law.births.byPlan.get(plan)
    if (!shadow) return
    this.#sim.law.cancels.I12_modelsHearOfIt(shadow, process)
    const { turn } = planned(request)
    this.attempts.I16_attemptsAreFacts(process, shadow, { turn, model: request.model })
    if (isShortened(request.messages)) return
    this.#sim.law.sessions.I3_historyIsWhole(shadow, request)
    this.I7_everyReportIsRead(shadow, process, request)
    this.I16_mailIsCommittedFirst(shadow, request)
  }

  summarised(request: ModelRequest): void {
    this.conversations.I20_systemIsTrusted(request)
    this.#sim.rare('a conversation is shortened')
  }

  /** Rule 21: whose end stands in the log is in what the model is shown now. */
  I7_everyReportIsRead(shadow: Shadow, process: Process, request: ModelRequest): void {
    // A zombie asks what has been answered long ago, or on answers of its own that never counted.
    if (planned(request).turn !== shadow.steps || !knowsLastAnswer(shadow, request)) return
    const { now } = this.#sim.schedule
    // The next one of a chain is shown the conversation with which the first was asked.
    const calm = process.troubledAt < now - 100_000 && request.model !== SECOND_MODEL
    const known = ({ announcedSeq, announcedAt }: ShadowCall): boolean =>
      announcedSeq < shadow.answeredSeq || (calm && announcedAt < now - KNOWN_MS)
    const texts = new Map<boolean, string>()
    for (const call of shadow.calls.values()) {
      const { child, announced, givenUp } = call
      if (!child || !announced || !known(call)) continue
      // Who was said to be missing is told of again only if there is a result after all.
      if (givenUp && announced !== 'completed') continue
      this.#sim.rare('a report is looked for')
      // One that was waited for is the result of its call, unless it came too late for that.
      const isResult = call.waited && !givenUp
      const text = texts.get(isResult) ?? saidIn(request, isResult ? 'tool' : 'user')
      texts.set(isResult, text)
      const told = text.match(new RegExp(`"run_id":"${child}"[^\n]*"status":"${announced}"`))
      if (!told) this.#breach('I7_everyReportIsRead', `${shadow.partition}: ${child} is not told`)
      this.#I7_reportsSayTheResult(shadow, child, text)
    }
  }

  /** Rule 45a: where others may be woken too, a model is asked only on what the log holds. */
  I16_mailIsCommittedFirst({ calls, partition }: Shadow, { messages }: ModelRequest): void {
    if (this.#sim.profile === 'node' || this.#sim.profile === 'objects') return
    const unread = [...calls.values()].filter(({ child, announced }) => child && !announced)
    if (unread.length === 0) return
    const text = saidIn({ messages }, 'user') + saidIn({ messages }, 'tool')
    for (const { child } of unread) {
      const told = new RegExp(`"run_id":"${child}"[^\n]*"status":"(?:completed|failed|cancelled)"`)
      if (told.test(text)) {
        this.#breach('I16_mailIsCommittedFirst', `${partition}: ${child} is shown, not recorded`)
      }
    }
  }

  /** Who came to an answer of its own is told of with that answer, or with how it begins. */
  #I7_reportsSayTheResult({ partition }: Shadow, child: string, text: string): void {
    const { runs, births } = this.#sim.law
    const run = runs.get(`${partition.split('/')[0]}/run/${child}`)
    const end = run?.facts.at(-1)
    if (!run || end?.type !== 'run.completed' || end.stop_reason !== 'end_turn') return
    const plan = births.planOf(run)
    if (plan === undefined || text.includes(`${plan} is done in turn`)) return
    this.#breach('I7_reportsSayTheResult', `${partition}: what ${child} said is not told`)
  }

  /** A call leaves a process: the intent of a `once` call must be committed by then. */
  calls(process: Process, tool: string, given: Record<string, unknown>, key: string): void {
    const call = key.split('.')[0]!
    const shadow = this.#sim.law.callOwner.get(call)
    if (shadow) this.#sim.law.cancels.I12_toolsHearOfIt(shadow, process, tool)
    if (shadow) this.I13_policyIsObeyed(shadow, process, tool)
    if (tool === 'wire') I13_guardedOnlyIfApproved(this.#sim, shadow?.calls.get(call), given)
    if (tool !== 'pay' && tool !== 'wire' && tool !== 'vault') return
    if (shadow) this.I8_onceUnderALease(shadow, process, `${tool} ${given.token}`)
    if (shadow?.calls.get(call)?.intent === undefined) {
      this.#breach('I8_intentBeforeOnce', `${tool} ${given.token} is called without an intent`)
    }
  }

  /** A paused call goes on with what stands in the log, and with the state that its server gave. */
  continues(
    tool: string,
    { token }: Record<string, unknown>,
    key: string,
    answers: ToolCall['answers'],
  ): void {
    if (tool !== 'vault') return
    const shadow = this.#sim.law.callOwner.get(key.split('.')[0]!)
    const call = shadow?.calls.get(key.split('.')[0]!)
    if (call) I13_aPauseIsAnswered(this.#sim, call, `state of ${token}`, answers)
  }

  /** An administrator was told that the tool is denied from now on. */
  denied(tenant: string, tool: string): void {
    this.#sim.rare('policy denies a tool')
    this.#denied.set(`${tenant} ${tool}`, this.#sim.schedule.now)
  }

  /** Rule 29: the tenant's policy counts as it is when a call is performed. */
  I13_policyIsObeyed({ partition }: Shadow, process: Process, tool: string): void {
    const tenant = partition.split('/')[0]
    const since = this.#denied.get(`${tenant} mcp__sim__${tool}`)
    const { now } = this.#sim.schedule
    if (since === undefined || now - since < OBEYED_MS) return
    // A slow look at the policy ends just before the call.
    if (process.troubledAt > now - 5_000) return
    this.#breach('I13_policyIsObeyed', `${partition}: ${tool} is called though it is denied`)
  }

  /** Rule 13: who performs what must not happen twice holds the run at that moment. */
  I8_onceUnderALease({ partition }: Shadow, process: Process, what: string): void {
    const worker = this.#sim.law.holders.headOf(partition)?.lease?.worker
    if (worker?.startsWith(`${process.name}:`)) return
    this.#breach('I8_onceUnderALease', `${partition}: ${what} under ${worker ?? 'no lease'}`)
  }

  /** The answer of a call has reached the process that asked. */
  heard(process: Process, key: string): void {
    this.#heard.set(key.split('.')[0]!, { process, at: this.#sim.schedule.now })
  }

  /** What it was answered stands in the log, and its continuation has an answer of its own. */
  paused(call: string): void {
    this.#sim.rare('a call is paused')
    this.#heard.delete(call)
  }

  /** Rule 13: what has been answered is committed soon, so that it is not lost with its worker. */
  I8_answersAreNotLost(call: string): void {
    const heard = this.#heard.get(call)
    if (!heard) return
    const { process, at } = heard
    const troubled = process.troubledAt > at - 1_000
    if (process.alive || process.diedAt - at < KEPT_MS || troubled) return
    const message = `${call} is unknown, ${process.diedAt - at} ms after its answer`
    this.#breach('I8_answersAreNotLost', message)
  }

  /** A file is stored: what an edit leaves in it stands there once (rule 14). */
  I8_editsAreOnce(key: string, body: Uint8Array): void {
    if (!key.includes('/workspaces/')) return
    const marks =
      Buffer.from(body)
        .toString()
        .match(/\([^)]*\)/g) ?? []
    if (marks.length > 0) this.#sim.rare('file edited')
    if (new Set(marks).size < marks.length) this.#breach('I8_editsAreOnce', `${key}: ${marks}`)
  }

  performed(tool: string, given: Record<string, unknown>, key: string): void {
    const token = String(given.token)
    const known = this.performedOf.get(token) ?? { count: 0, keys: new Set() }
    known.count += 1
    known.keys.add(key)
    this.performedOf.set(token, known)
    if (known.keys.size > 1)
      this.#breach('I8_oneKeyPerCall', `${tool} ${token} came under two keys`)
    const once = tool === 'pay' || tool === 'wire' || tool === 'vault'
    if (once) this.#sim.rare('a once call is performed')
    if (once && known.count > 1) this.#breach('I8_onceIsOnce', `${token} happened twice`)
    if (known.count > 1) this.#sim.rare('effect repeated under its key')
  }

  /** The tool has given this answer, whether or not it was heard. */
  said(key: string, text: string): void {
    const call = key.split('.')[0]!
    this.#said.set(call, (this.#said.get(call) ?? new Set()).add(text).add(sha256(text)))
  }

  /** What the log says a tool has answered is one of the answers that it gave. */
  I6_resultsAreWhatWasSaid(call: string, body: Body): void {
    const said = this.#said.get(call)
    if (!said) return
    // What a person changed, and that hidden characters are written out, is told in front of it.
    const told = /^(?:\[(?:approved with|\d+ hidden character|The server asked)[^\n]*\n)+/
    const text = isRef(body) ? body.digest : body.replace(told, '')
    const same = said.has(text) || (text !== body && said.has(unescaped(text)))
    if (!isRef(body) && hiddenIn(body)) this.#breach('I6_resultsAreWhatWasSaid', `${call} hides`)
    // Of a large one only the beginning is at hand, which may end within that line.
    if (
      same ||
      (isRef(body) && /^\[(?:approved with|\d+ hidden|The server asked)/.test(body.preview))
    )
      return
    this.#breach('I6_resultsAreWhatWasSaid', `${call}: ${text.slice(0, 60)}`)
  }

  /** Returns which event it was, and whose. */
  gotPost(
    process: Process,
    { request, sent }: { readonly request: WebRequest; readonly sent: number },
    answer: Outcome<WebAnswer, string>,
  ): string {
    this.#sim.law.I22_noSecret(JSON.stringify([request.headers, request.body]), request.url)
    if (JSON.stringify(request.headers).includes(UNTRUSTED))
      this.#breach('I20_headersAreTrusted', `foreign text in a header of ${request.url}`)
    const { type, data } = JSON.parse(request.body ?? '') as {
      type: string
      data: { run_id: string; seq: number; data: unknown }
    }
    const isOfEndpoint = request.url.startsWith(ENDPOINT_URL)
    const to = isOfEndpoint ? `endpoint ${request.url.slice(ENDPOINT_URL.length)}` : ''
    const late = data.seq === 0 ? lateChild(data.data) : undefined
    const event = `${to}${data.run_id} ${late ?? data.seq}`
    const known = this.received.get(event) ?? { ids: new Set(), posts: 0, accepted: 0 }
    known.ids.add(request.headers['webhook-id'] ?? '')
    known.posts += 1
    if (isAccepted(answer)) known.accepted += 1
    this.received.set(event, known)
    if (known.posts > 1) this.#sim.rare('event posted again')
    if (known.accepted > 1) this.#sim.rare('event delivered twice')
    if (known.ids.size > 1) this.#breach('I10_oneIdPerEvent', `${event} came under two ids`)
    this.posts.I10_acceptedIsSettled(process, event, sent)
    const logs = [...this.#sim.law.runs.values(), ...this.#sim.law.fanouts.byPartition.values()]
    const log = logs.find(({ spec }) => spec?.id === data.run_id)
    if (late) I10_lateIsNoFact(this.#sim, data.run_id, late, type)
    else if (log?.facts[data.seq - 1]?.type !== type) {
      this.#breach('I10_onlyWhatIsCommitted', `${event} (${type}) was sent and is not in the log`)
    }
    return event
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}

/** All that people and subagents told a model, or all results of its calls. */
const saidIn = ({ messages }: Pick<ModelRequest, 'messages'>, role: 'user' | 'tool'): string =>
  messages
    .filter((one) => one.role === role)
    .flatMap(bodiesOf)
    .join('\n')
