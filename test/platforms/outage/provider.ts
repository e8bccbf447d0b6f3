/** The scripted model as a provider that can be away: it refuses connections, or all that it is asked. */

import { answer, type WireRequest } from '../../../src/testing/model-script.ts'
import { type ModelServer, startModelServer } from '../../support/model-server.ts'

export interface Provider {
  readonly url: string
  /** Nobody listens any more; streams that are under way are cut. */
  gone(): Promise<void>
  /** It answers 503 to everything. */
  refuses(): void
  back(): Promise<void>
  /** Requests that were answered to their end, and those that were refused by a status. */
  counts(): { readonly answered: number; readonly refused: number; readonly repeated: number }
}

const OVERLOADED = { kind: 'status', status: 503, times: 1e9, retryAfter: undefined } as const

export async function startProvider(): Promise<Provider> {
  const seen = new Map<string, number>()
  let isDown = false
  let refused = 0
  const refusals = new WeakSet<WireRequest>()
  const onAnswered = (request: WireRequest): void => {
    const key = JSON.stringify(request.messages)
    if (refusals.has(request)) refused += 1
    else seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const script = (request: WireRequest) => {
    if (!isDown) return answer(request)
    refusals.add(request)
    return { ...answer(request), slowMs: 0, fault: OVERLOADED }
  }
  const start = (port = 0): Promise<ModelServer> =>
    startModelServer({ script, onAnswered, port, keep: 0, thinkMs: 50 })
  let server = await start()
  const { url } = server
  const port = Number(new URL(url).port)
  let isOpen = true
  return {
    url,
    async gone() {
      isOpen = false
      await server.close()
    },
    refuses() {
      isDown = true
    },
    async back() {
      isDown = false
      if (!isOpen) server = await start(port)
      isOpen = true
    },
    counts() {
      const all = [...seen.values()]
      const answered = all.reduce((sum, one) => sum + one, 0)
      return { answered, refused, repeated: answered - all.length }
    },
  }
}
