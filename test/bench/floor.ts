/**
 * The floor: the model calls of some work, made by plain keep-alive fetch with as much at once as
 * the data allow.
 */

import type { WireRequest } from '../support/model-script.ts'

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

  async play(url: string): Promise<void> {
    const bodies = this.#bodies
    const width = { run: bodies.length, series: 1, together: WIDTH }[this.#order]
    const apart = this.#order === 'run' && bodies.length > 1
    if (apart) await call(url, bodies[0]!)
    await inWidth(url, apart ? bodies.slice(1, -1) : bodies, width)
    if (apart) await call(url, bodies.at(-1)!)
  }
}

async function inWidth(url: string, bodies: readonly string[], width: number): Promise<void> {
  const queue = [...bodies]
  const worker = async (): Promise<void> => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) await call(url, body)
  }
  await Promise.all(Array.from({ length: Math.min(width, bodies.length) }, worker))
}

async function call(url: string, body: string): Promise<void> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body,
  })
  await response.text()
}
