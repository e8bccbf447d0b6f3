/** Answers whose credential may be revoked while they are open. */

import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src/hosts/shared/clock.ts'
import { whileValid } from '../../../../src/http/stream/credential-check.ts'

const isValid = async (): Promise<boolean> => true

describe('responses with a revocable credential', () => {
  it('keep a body that is not an event stream unchanged', () => {
    // The Node adapter makes a real Response of its own as soon as the body is read.
    const answer = new Response('{}', { headers: { 'content-type': 'application/json' } })
    Object.defineProperty(answer, 'body', {
      get() {
        throw new Error('the body was touched')
      },
    })
    expect(whileValid(answer, systemClock, isValid)).toBe(answer)
  })

  it('wrap an event stream', () => {
    const answer = new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream' } })
    const watched = whileValid(answer, systemClock, isValid)
    expect(watched).not.toBe(answer)
    return watched.body?.cancel()
  })
})
