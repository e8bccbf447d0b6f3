/**
 * Deliveries between attempts (I10): what a receiver said is what is written down, each attempt is
 * one that was made, and the next one waits for as long as is planned (WS10, WS11, WS14). What a
 * worker may know is what stood there when its look began, so two who look at once are no fault.
 */

import type { Delivery } from '../../../src/core/webhook/delivery.ts'
import { messageId } from '../../../src/core/webhook/signature.ts'
import type { Outcome } from '../../../src/lib/outcome.ts'
import type { HeadWrite, WebAnswer, WebRequest } from '../../../src/ports/world.ts'
import type { Process } from '../world/process.ts'
import { ENDPOINT_URL, type Sim } from '../world/sim.ts'
import { isAccepted } from './posts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** After so many failures, in a row. */
const PLANNED = [0, 5_000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR)]
export const ATTEMPTS = 10
const JITTER = 0.2
/** Two clocks, each wrong by five seconds at most. */
const SKEW_MS = 10_000

/** Some reads, each of which may be slow. */
const ASKS_MS = 400_000

type Answer = Outcome<WebAnswer, string>
interface Heard {
  readonly at: number
  readonly answer: Answer
}
/** What stood in the head since then. */
interface Stood {
  readonly since: number
  readonly attempts: number
  readonly status: Delivery['status']
  /** Nobody who knows this posts before. */
  readonly notBefore: number
}
interface Look {
  readonly began: number
  ended: number
}
interface Known {
  posts: number
  gone: boolean
  readonly heard: Heard[]
  readonly stood: Stood[]
  readonly looks: Map<Process, Look[]>
}

export class Deliveries {
  readonly #sim: Sim
  /** By the id under which the receiver knows it. */
  readonly #known = new Map<string, Known>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  of(deliveryId: string): Known {
    return this.#at(messageId(deliveryId))
  }

  /** A worker begins to read it; the returned function is called when it has. */
  look(process: Process, partition: string): () => void {
    const [, kind, id] = partition.split('/')
    if (kind !== 'delivery') return () => undefined
    const { looks } = this.of(id!)
    const { schedule } = this.#sim
    const one: Look = { began: schedule.now, ended: Number.POSITIVE_INFINITY }
    looks.set(process, [...(looks.get(process) ?? []), one])
    return () => {
      one.ended = schedule.now
    }
  }

  /** It left the worker at `sent`, and arrives now. */
  posted(process: Process, { headers, url }: WebRequest, sent: number): void {
    const known = this.#at(headers['webhook-id'] ?? '')
    known.posts += 1
    const looks = known.looks.get(process) ?? []
    known.looks.set(
      process,
      looks.filter(({ ended }) => ended > sent),
    )
    // Before it posts to an endpoint it looks where that is now.
    const first = sent - (url.startsWith(ENDPOINT_URL) ? ASKS_MS : 0)
    const mine = looks.filter(({ ended }) => ended >= first && ended <= sent)
    if (mine.length === 0) return
    const began = Math.min(...mine.map((one) => one.began))
    const stood = known.stood.findLast(({ since }) => since < began)
    if (!stood) return
    const what = `${headers['webhook-id']} to ${url}`
    if (stood.status !== 'pending') {
      return this.#breach('I10_overIsOver', `${what} is ${stood.status}, and is posted again`)
    }
    const early = stood.notBefore - sent - (this.#sim.skews ? SKEW_MS : 0)
    if (early <= 0) return
    const message = `${what}: ${early} ms too early, after ${stood.attempts} attempts`
    this.#breach('I10_pausesAreKept', message)
  }

  heard({ headers }: WebRequest, answer: Answer): void {
    const { heard } = this.#at(headers['webhook-id'] ?? '')
    heard.push({ at: this.#sim.schedule.now, answer })
  }

  committed(partition: string, { body }: HeadWrite): void {
    const { delivery } = JSON.parse(body) as { delivery: Delivery }
    const { now } = this.#sim.schedule
    const known = this.of(partition.split('/')[2]!)
    const { attempts, status } = delivery
    const was = known.stood.at(-1)
    if (attempts === (was?.attempts ?? 0)) {
      if (status !== (was?.status ?? 'pending')) {
        this.#breach('I10_answersCount', `${partition} is ${status}, and nobody said so`)
      }
      if (!was) known.stood.push({ since: now, attempts, status, notBefore: 0 })
      return
    }
    const heard = known.heard.filter(({ at }) => at >= (was?.since ?? 0))
    this.#I10_attemptsAreMade(partition, delivery, known)
    const right = heard.filter(({ answer }) => judged(answer, attempts) === status)
    if (right.length === 0) {
      const said = heard.map(({ answer }) => (answer.ok ? answer.value.status : answer.error))
      this.#breach('I10_answersCount', `${partition} is ${status} after ${said.join(', ')}`)
    }
    if (status === 'disabled') known.gone = true
    const notBefore = Math.min(...right.map((one) => one.at + pauseAfter(one.answer, attempts)))
    known.stood.push({ since: now, attempts, status, notBefore })
  }

  /** An attempt counts when a request has left for the receiver, and once. */
  #I10_attemptsAreMade(partition: string, { attempts }: Delivery, known: Known): void {
    const before = known.stood.at(-1)?.attempts ?? 0
    const made = known.posts >= attempts || this.#sim.inject !== undefined
    if (attempts === before + 1 && made) return
    const message = `${partition}: ${attempts} after ${before}, of ${known.posts} posts`
    this.#breach('I10_attemptsAreMade', message)
  }

  #at(id: string): Known {
    const found = this.#known.get(id)
    if (found) return found
    const known: Known = { posts: 0, gone: false, heard: [], stood: [], looks: new Map() }
    this.#known.set(id, known)
    return known
  }

  #breach(id: string, message: string): void {
    this.#sim.law.breach(id, message)
  }
}

/** What this answer to an attempt makes of the delivery. */
function judged(answer: Answer, attempts: number): Delivery['status'] {
  if (isAccepted(answer)) return 'delivered'
  if (answer.ok && answer.value.status === 410) return 'disabled'
  return attempts < ATTEMPTS ? 'pending' : 'failed'
}

/** The shortest pause that is planned; a receiver may ask for up to twice as much. */
function pauseAfter(answer: Answer, attempts: number): number {
  const planned = PLANNED[attempts] ?? 0
  const shortest = planned * (1 - JITTER)
  const busy = answer.ok && [429, 503].includes(answer.value.status)
  const asked = busy ? Number(answer.value.headers['retry-after'] ?? 0) * 1_000 : 0
  return Math.max(shortest, Math.min(asked, 2 * shortest, 24 * HOUR))
}
