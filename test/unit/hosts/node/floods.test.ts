/** What a model says beyond all bounds is cut while it is read, and the reason is told. */

import { describe, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { modelFetch } from '../../../../src/hosts/node/model-fetch.ts'
import { readBudget } from '../../../../src/hosts/outbound/read-budget.ts'
import { FLOOD_NAMES, FLOODS, startHostilePeer } from '../../../support/hostile/index.ts'
import { ask, request } from '../../../support/model-port.ts'
import { minutes } from '../../../support/patience.ts'

const kind = 'openai-compatible' as const
/** Of an error no more is read than anybody would. */
const TOLD: Readonly<Record<string, RegExp>> = {
  'error-without-end': /^p responded with 500: lorem/,
}
/** Answers that only grow: the next one is as long, and costs as much. */
const ANSWERS: ReadonlySet<string> = new Set([
  ...['text-without-end', 'reasoning-without-end', 'arguments-without-end'],
  ...['one-line-without-end', 'one-event-without-end', 'json-without-end'],
])
const endless = FLOOD_NAMES.filter((name) => name !== 'ten-thousand-calls')

describe('an unbounded response', () => {
  it.for(endless)('%s is cut, with the reason [U27]', async (name, { expect, onTestFinished }) => {
    const peer = await startHostilePeer(FLOODS[name])
    onTestFinished(peer.close)
    const provider = { kind, base_url: `${peer.origin}/v1`, key: 'sk-very-secret' }
    const config = {
      providers: { p: provider },
      aliases: {},
      builtin: {},
      default: 'p/m',
      models: {},
    }
    const model = createModel(config, modelFetch())
    const before = readBudget.bytesLeft
    const { answer } = await ask(model, request('hello', { model: 'p/m' }))
    expect(answer).toMatchObject({
      ok: false,
      error: {
        ...(ANSWERS.has(name)
          ? { code: 'rejected', retryable: false }
          : { code: 'unavailable', retryable: true }),
        message: expect.stringMatching(TOLD[name] ?? /the model's response .*\d+ bytes/),
      },
    })
    expect(await peer.allClosed(minutes(4))).toBe(true)
    expect(peer.sent()).toBeLessThan(2 * LIMITS.model_wire_bytes)
    expect(readBudget.bytesLeft).toBe(before)
  })

  it('a few of ten thousand calls are kept, and the rest is reported as a number [A21]', async ({
    expect,
    onTestFinished,
  }) => {
    const peer = await startHostilePeer(FLOODS['ten-thousand-calls'])
    onTestFinished(peer.close)
    const provider = { kind, base_url: `${peer.origin}/v1`, key: 'sk-very-secret' }
    const config = {
      providers: { p: provider },
      aliases: {},
      builtin: {},
      default: 'p/m',
      models: {},
    }
    const { answer } = await ask(createModel(config, modelFetch()), request('x', { model: 'p/m' }))
    if (!answer.ok) throw new Error(answer.error.message)
    const kept = LIMITS.calls_per_step + 1
    expect(answer.value.parts.filter(({ type }) => type === 'call')).toHaveLength(kept)
    expect(answer.value.dropped_calls).toBe(10_000 - kept)
  })
})
