/**
 * The floor: the model calls of some work, made by plain keep-alive fetch with as much at once as
 * the data allow. Or, with `bySdk`, the same calls by the AI SDK's provider package, which every
 * answer of the product passes: what of the distance is the package's.
 */

import { createModel } from '../../../src/hosts/models/model.ts'
import { modelFetch } from '../../../src/hosts/node/model-fetch.ts'
import type { WireRequest } from '../../../src/testing/model-script.ts'

/**
 * `run`: the parent's first call, then all children beside its second, then its last. `series`: one
 * after the other. `together`: as many at once as the server's lane is wide.
 */
export type Order = 'run' | 'series' | 'together'

const WIDTH = 64

export class Floor {
  readonly #bodies: readonly string[]
  readonly #order: Order

  constructor(bodies: readonly WireRequest[], order: Order) {
    this.#bodies = bodies.map((body) => JSON.stringify(body))
    this.#order = order
  }

  async play(url: string, call: Call = byFetch): Promise<void> {
    const bodies = this.#bodies
    const width = { run: bodies.length, series: 1, together: WIDTH }[this.#order]
    const apart = this.#order === 'run' && bodies.length > 1
    if (apart) await call(url, bodies[0]!)
    const all = apart ? bodies.slice(1, -1) : bodies
    await inWidth(all, width, (body) => call(url, body))
    if (apart) await call(url, bodies.at(-1)!)
  }
}

async function inWidth(
  bodies: readonly string[],
  width: number,
  call: (body: string) => Promise<void>,
): Promise<void> {
  const queue = [...bodies]
  const worker = async (): Promise<void> => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) await call(body)
  }
  await Promise.all(Array.from({ length: Math.min(width, bodies.length) }, worker))
}

/** Makes one call and reads its answer to the end. */
export type Call = (url: string, body: string) => Promise<void>

const byFetch: Call = async (url, body) => {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body,
  })
  await response.text()
}

const QUESTION = [{ role: 'user', text: '?' }] as const

/** What the package writes as a request is small and gives way to the recorded one. */
export function bySdk(url: string): Call {
  const connect = modelFetch()
  const bodies: string[] = []
  const providers = { openai: { kind: 'openai-compatible', base_url: url, key: 'bench' } } as const
  const model = createModel({ providers, aliases: {}, builtin: {}, models: {} }, (input, init) =>
    connect(input, { ...init, body: bodies.shift() ?? '' }),
  )
  const request = { model: 'openai/scripted', system: '', messages: QUESTION, tools: [] }
  return async (_, body) => {
    bodies.push(body)
    const signal = new AbortController().signal
    const answer = await model.respond(request, { signal, onDelta: () => {} })
    if (!answer.ok) throw new Error(answer.error.message)
  }
}
