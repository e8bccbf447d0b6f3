/** Where traces go: the settings, and a receiver that does not do its part. */

import { describe, expect, it } from 'vitest'
import type { Span } from '../../../src/core/trace/span.ts'
import { tracesConfigFromEnv, tracesWarnings } from '../../../src/hosts/traces/config.ts'
import { createTraces } from '../../../src/hosts/traces/exporter.ts'

const BASE = 'http://127.0.0.1:4318'
const SPAN: Span = {
  ...{ trace: 'a'.repeat(32), id: 'b'.repeat(16), name: 'one', kind: 'internal' },
  ...{
    start: 1,
    end: 2,
    attributes: { whole: 1, part: 0.5, yes: true, list: ['a'], none: undefined },
  },
}

describe('the trace settings', () => {
  it('append the traces path to the general endpoint and use a traces endpoint unchanged', () => {
    const url = (env: Record<string, string>) => tracesConfigFromEnv(env)?.url
    expect(url({})).toBeUndefined()
    expect(url({ OTEL_EXPORTER_OTLP_ENDPOINT: BASE })).toBe(`${BASE}/v1/traces`)
    expect(url({ OTEL_EXPORTER_OTLP_ENDPOINT: `${BASE}/a/` })).toBe(`${BASE}/a/v1/traces`)
    expect(url({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${BASE}/t` })).toBe(`${BASE}/t`)
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: BASE }
    expect(url({ ...on, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
    expect(url({ ...on, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
  })

  it('are refused by name when invalid, and never quoted when they may be secret', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_EXPORTER_OTLP_HEADERS: 'hush' }
    expect(() => tracesConfigFromEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://127.0.0.1:4318',
    )
    expect(() => tracesConfigFromEnv(env)).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS must be comma-separated key=value/,
    )
    const spoken = { OTEL_EXPORTER_OTLP_ENDPOINT: BASE, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
    expect(tracesWarnings(spoken)).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported; traces are sent as http/json',
    ])
  })
})

describe('the exporter', () => {
  const to = (name: string, answers: readonly (number | Error)[]) => {
    const bodies: string[] = []
    const traces = createTraces(
      { url: `${BASE}/${name}`, headers: {}, resource: { 'service.name': 'x' } },
      async (_, init) => {
        bodies.push(String(init?.body))
        const answer = answers[bodies.length - 1] ?? 200
        if (typeof answer !== 'number') throw answer
        return new Response('{}', { status: answer })
      },
    )
    return { traces, bodies }
  }

  it('retries transient failures with the same spans', async () => {
    const { traces, bodies } = to('again', [503, new Error('reset')])
    expect(await traces.export([SPAN])).toEqual({ ok: true, value: undefined })
    expect(bodies).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toContain('"intValue":"1"')
    expect(bodies[0]).toContain('"startTimeUnixNano":"1000000"')
    expect(bodies[0]).not.toContain('none')
  })

  it('drops refused spans, and pauses before it contacts that receiver again', async () => {
    const { traces, bodies } = to('refused', [400])
    expect(await traces.export([SPAN])).toEqual({
      ok: false,
      error: 'the trace receiver responded with 400',
    })
    expect(await traces.export([SPAN])).toMatchObject({
      ok: false,
      error: expect.stringContaining('are paused'),
    })
    expect(bodies).toHaveLength(1)
  })

  it('batches the spans that arrive during a request, and keeps each request within the size limit', async () => {
    const { traces, bodies } = to('together', [])
    const one = traces.export([SPAN])
    const more = [traces.export(Array(700).fill(SPAN)), traces.export([SPAN])]
    await Promise.all([one, ...more])
    expect(bodies.map((body) => body.split('"spanId"').length - 1)).toEqual([1, 500, 201])
  })
})
