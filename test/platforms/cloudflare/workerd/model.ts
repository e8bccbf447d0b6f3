/** The model of the tests in workerd: an OpenAI-compatible server instead of the isolate's `fetch`. */

import { onTestFinished, vi } from 'vitest'
import { newKey } from '../../../../src/engine/tenant/api-keys.ts'
import worker from '../../../../src/hosts/worker.ts'
import { answer, type WireRequest } from '../../../../src/testing/model-script.ts'
import { env } from './env.ts'

/** `before`: awaited by each call before it is answered. */
export function playModel(before: (request: WireRequest) => unknown = () => {}): void {
  vi.stubGlobal('fetch', async (url: unknown, init: RequestInit): Promise<Response> => {
    const body = url instanceof Request ? await url.text() : String(init.body)
    const asked = JSON.parse(body) as WireRequest
    await before(asked)
    const said = answer(asked)
    const tool_calls = said.calls.map(({ id, name, arguments: given }, index) => {
      return { index, id, type: 'function', function: { name, arguments: given } }
    })
    const calls = tool_calls[0] ? { tool_calls } : {}
    const delta = { role: 'assistant', content: said.text, ...calls }
    const choices = [{ index: 0, delta, finish_reason: said.finish }]
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'x' }
    const line = JSON.stringify({ ...chunk, choices, usage })
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(`data: ${line}\n\ndata: [DONE]\n\n`, { headers })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
}

export interface Shown {
  readonly id: string
  readonly status: string
  readonly output: { readonly text: string } | null
}

const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
const variables = { ...env, STRATA_ADMIN_KEY: key }

/** A request to the Worker. */
export async function ask<T = Shown>(method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await worker.fetch(new Request(`https://strata.test/v1${path}`, init), variables)
  return (await response.json()) as T
}

export const ended = (id: string): Promise<Shown> =>
  vi.waitFor(
    async () => {
      const run = await ask('GET', `/runs/${id}?wait=20`)
      if (!/completed|failed|cancelled|timed_out/.test(run.status)) throw new Error(run.status)
      return run
    },
    { timeout: 120_000, interval: 100 },
  )
