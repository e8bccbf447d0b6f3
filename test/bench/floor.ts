/**
 * The floor: the model calls of one run, made by plain keep-alive fetch with as much at once as the
 * data allow: the parent's first call, then all children beside its second, then its last.
 */

import type { WireRequest } from '../support/model-script.ts'

export class Floor {
  readonly #first: string
  readonly #middle: readonly string[]
  readonly #last: string | undefined

  constructor(bodies: readonly WireRequest[]) {
    const texts = bodies.map((body) => JSON.stringify(body))
    this.#first = texts[0]!
    this.#middle = texts.slice(1, -1)
    this.#last = texts.length > 1 ? texts.at(-1) : undefined
  }

  async play(url: string): Promise<void> {
    await call(url, this.#first)
    if (this.#last === undefined) return
    await Promise.all(this.#middle.map((body) => call(url, body)))
    await call(url, this.#last)
  }
}

async function call(url: string, body: string): Promise<void> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body,
  })
  await response.text()
}
