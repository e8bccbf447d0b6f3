/** Receivers of webhooks by URL: what each answers is the test's, what it got is kept. */

import { ok } from '../../src/lib/outcome.ts'
import type { Web, WebRequest } from '../../src/ports/world.ts'

interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  readonly json: any
}
interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Receivers extends Web {
  readonly got: Received[]
  /** What has come for one URL. */
  at(url: string): Received[]
  /** From now on this URL answers so; `null`: the connection fails. */
  answer(url: string, by: Answer | null | (() => Promise<Answer | null>)): void
  /** URLs that policy refuses. */
  readonly blocked: Set<string>
}

export function receivers(): Receivers {
  const got: Received[] = []
  const answers = new Map<string, () => Promise<Answer | null>>()
  const blocked = new Set<string>()
  return {
    got,
    blocked,
    at: (url) => got.filter((one) => one.url === url),
    answer(url, by) {
      answers.set(url, typeof by === 'function' ? by : async () => by)
    },
    check: (url) =>
      blocked.has(url) || !url.startsWith('https://') ? 'the URL is not allowed' : undefined,
    async send({ url, headers, body = '' }: WebRequest) {
      got.push({ url, headers, body, json: JSON.parse(body) })
      const by = answers.get(url)
      const answer: Answer | null = by ? await by() : { status: 204 }
      if (!answer) return { ok: false, error: 'the connection failed' }
      return ok({ status: answer.status, headers: answer.headers ?? {}, body: answer.body ?? '' })
    },
  }
}
