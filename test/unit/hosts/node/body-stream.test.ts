/** A reader that gives up at any moment leaves nothing behind that could throw. */

import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { bodyStream } from '../../../../src/hosts/node/body-stream.ts'

const CHUNK = 20_000
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** `count` chunks that are there whenever they are asked for. */
function source(count: number): Readable {
  let given = 0
  return new Readable({
    read() {
      this.push(given++ < count ? Buffer.alloc(CHUNK) : null)
    },
  })
}

describe('a response body', () => {
  it('may be abandoned at any moment without an uncaught error [U27]', async () => {
    const thrown: unknown[] = []
    const hear = (error: unknown): void => void thrown.push(error)
    process.on('uncaughtException', hear)
    try {
      for (let nth = 0; nth < 60; nth += 1) {
        const body = source(40)
        const reader = bodyStream(body).getReader()
        for (let reads = nth % 6; reads > 0; reads -= 1) await reader.read()
        if (nth % 2 === 0) reader.read().catch(() => {})
        if (nth % 3 === 0) body.destroy(new Error('cut'))
        await reader.cancel().catch(() => {})
        await turn()
        expect(body.destroyed).toBe(true)
      }
    } finally {
      process.off('uncaughtException', hear)
    }
    expect(thrown).toEqual([])
  })

  it('arrives complete, and an error midway reaches the reader', async () => {
    expect((await new Response(bodyStream(source(40))).arrayBuffer()).byteLength).toBe(40 * CHUNK)
    const cut = source(1_000_000)
    const reader = bodyStream(cut).getReader()
    await reader.read()
    cut.destroy(new Error('cut'))
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow('cut')
  })

  it('applies backpressure to its source', async () => {
    let given = 0
    const body = new Readable({
      read() {
        given += 1
        this.push(Buffer.alloc(CHUNK))
      },
    })
    const reader = bodyStream(body).getReader()
    await reader.read()
    for (let i = 0; i < 20; i += 1) await turn()
    expect(given * CHUNK).toBeLessThan(1_000_000)
    await reader.cancel()
  })
})
