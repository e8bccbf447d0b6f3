/** Answers that providers really send, through the running server: what a run makes of each of them. */

import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import {
  type Expected,
  type InteropCase,
  type InteropFile,
  interopFiles,
} from '../support/interop.ts'
import { type NodeApi, startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, runToEnd } from '../support/node-client.ts'

const KEY = 'wire-key-0123456789'
const KINDS = { chat: 'openai-compatible', responses: 'openai', messages: 'anthropic' } as const

/** By the name of the model that is asked. */
const CASES = new Map<string, InteropCase & Pick<InteropFile, 'dialect'>>(
  interopFiles().flatMap(({ file, dialect, cases }) =>
    cases.map((one, at) => [`${file.replace('.json', '')}-${at}`, { dialect, ...one }] as const),
  ),
)

function reply({ status = 200, headers, body, end }: InteropCase, response: ServerResponse): void {
  response.writeHead(status, headers ?? { 'content-type': 'text/event-stream' })
  if (end === undefined) return void response.end(body)
  response.write(body, () => {
    if (end === 'reset') setTimeout(() => response.destroy(), 20)
  })
}

async function served(): Promise<NodeApi> {
  const vendor = await startCannedServer(({ body }, response) => {
    reply(CASES.get((JSON.parse(body) as { model: string }).model)!, response)
  })
  cleanup.push(vendor.close)
  const providers = Object.fromEntries(
    Object.entries(KINDS).map(([dialect, kind]) => [
      dialect,
      { kind, base_url: `${vendor.origin}/v1`, key: KEY },
    ]),
  )
  const env = { STRATA_PROVIDERS: JSON.stringify({ providers }), STRATA_MODEL: '' }
  return startNodeApi(env)
}

/** How the failure of a run is called where its model's was called so. */
const CODES: Readonly<Record<string, RegExp>> = {
  unavailable: /^model_unavailable$/,
  rate_limited: /^model_unavailable$/,
  unauthorized: /^model_unauthorized$/,
  too_long: /^context_too_large$/,
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly tool?: string
}

/** The parts of the first answer; a call is named as the run makes it, which may mend its name. */
const partsOf = (parts: readonly Part[]) =>
  parts.map(({ type, text }) => (type === 'call' ? ['call'] : [type, text]))

const isBlank = ({ parts = [] }: Expected): boolean =>
  parts.every(
    ([type, text]) => type === 'reasoning' || (type === 'text' && String(text).trim() === ''),
  )

async function judged(api: NodeApi, id: string, wanted: Expected): Promise<void> {
  const run = (await ask(api, 'GET', `/v1/runs/${id}`)).body
  expect(JSON.stringify(run)).not.toContain(KEY)
  if (wanted.error !== undefined) {
    expect(run.status).toBe('failed')
    expect(run.error.code).toMatch(CODES[wanted.error] ?? /^model_rejected$/)
    if (wanted.says !== undefined) expect(run.error.message).toContain(wanted.says)
    if (wanted.hides !== undefined) expect(JSON.stringify(run)).not.toContain(wanted.hides)
    return
  }
  expect(run.status).toBe('completed')
  const events = await eventsOf(api, id)
  const { data } = events.find(({ type }) => type === 'assistant.message')
  if (wanted.parts !== undefined) {
    const parts = wanted.parts.map(([type, text]) => (type === 'call' ? ['call'] : [type, text]))
    expect(partsOf(data.parts)).toEqual(parts)
  }
  if (wanted.finish !== undefined) expect(data.finish).toBe(wanted.finish)
  const { input_tokens, output_tokens } = data.usage
  if (wanted.usage !== undefined) expect([input_tokens, output_tokens]).toEqual(wanted.usage)
  const codes = (run.warnings ?? []).map(({ code }: { code: string }) => code)
  if (isBlank(wanted) && wanted.finish === 'stop') expect(codes).toContain('empty_answer')
}

describe('each answer of the corpus', () => {
  it('becomes the expected run, and no readable answer fails a run', async () => {
    const api = await served()
    const failures: string[] = []
    const check = async (model: string): Promise<void> => {
      const { dialect, name, expect: wanted } = CASES.get(model)!
      // A second of patience: one attempt, and one at its end.
      const limits = { max_steps: 1, model_patience_seconds: 1 }
      try {
        const { id } = await runToEnd(api, { input: 'hi', model: `${dialect}/${model}`, limits })
        await judged(api, id, wanted)
      } catch (error) {
        failures.push(`${model} (${name}): ${String(error).slice(0, 400)}`)
      }
    }
    const waiting = [...CASES.keys()]
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let model = waiting.pop(); model !== undefined; model = waiting.pop()) {
          await check(model)
        }
      }),
    )
    expect(failures).toEqual([])
    expect(CASES.size).toBeGreaterThanOrEqual(200)
  })
})
