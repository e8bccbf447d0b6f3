/** `GET /metrics` of the real server: who may read it, and what it says after runs of all kinds. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { until } from '../support/patience.ts'
import { runToEnd, sharedServer, startServer } from '../support/server.ts'

const DASHBOARD = new URL('../../infra/grafana/strata.json', import.meta.url)

/** A sample's name with its labels, and its value. */
function samplesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return [name, Number(value)]
    }),
  )
}

/** Names that have a HELP and a TYPE. */
const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!))

/** `promtool` where it is installed; always that every sample belongs to a declared metric. */
function check(text: string): void {
  const names = namesIn(text)
  for (const [sample, value] of samplesIn(text)) {
    const [name = ''] = sample.split('{')
    const base = name.replace(/_(?:bucket|sum|count)$/, '')
    expect(names.has(name) || names.has(base), `${sample} is declared`).toBe(true)
    expect(Number.isNaN(value), sample).toBe(false)
    expect(text).toContain(`# HELP ${names.has(name) ? name : base} `)
  }
  if (!hasPromtool()) return
  execFileSync('promtool', ['check', 'metrics'], { input: text })
}

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('GET /metrics', () => {
  const server = sharedServer()

  it('reports runs, model calls, deliveries, requests, and the store, and names no tenant or run', async () => {
    const hook = await startCannedServer((_, response) => void response.writeHead(204).end())
    cleanup.push(hook.close)
    const run = await runToEnd(server(), {
      input: '@say one',
      webhook: { url: `${hook.origin}/hook` },
    })
    await runToEnd(server(), { input: '@fail 400' })
    await until('the delivery is counted', async () =>
      /^strata_deliveries_total.*delivered/m.test(await (await server().ask('/metrics')).text()),
    )
    const answer = await server().ask('/metrics')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    check(text)
    const samples = samplesIn(text)
    expect(samples.get('strata_runs_ended_total{status="completed"}')).toBe(1)
    expect(samples.get('strata_deliveries_total{outcome="delivered"}')).toBe(1)
    const of = (pattern: RegExp) =>
      [...samples].filter(([name]) => pattern.test(name)).reduce((sum, [, one]) => sum + one, 0)
    expect(of(/^strata_model_tokens_total\{.*type="input"\}/)).toBeGreaterThan(0)
    expect(of(/^strata_model_call_duration_seconds_count\{.*outcome="ok"/)).toBeGreaterThan(0)
    expect(
      of(/^strata_store_duration_seconds_count\{operation="commit",outcome="ok"\}/),
    ).toBeGreaterThan(3)
    expect(
      of(
        /^strata_http_request_duration_seconds_count\{method="POST",route="\/v1\/runs",status="202"\}/,
      ),
    ).toBe(2)
    expect(of(/^strata_lane_wait_seconds_count\{lane="main"\}/)).toBeGreaterThan(0)
    expect(samples.has('strata_lane_waiting{lane="main"}')).toBe(true)
    expect(text).not.toContain(run.id)
    expect(text).not.toMatch(/tenant|run_[0-9a-z]{26}/)
  })

  it('is refused without a key, and with a key that may read only runs', async () => {
    expect((await fetch(`${server().url}/metrics`)).status).toBe(401)
    const wrong = await server().ask('/metrics?a=1')
    expect(wrong.status).toBe(400)
  })

  it('returns every metric that the dashboard queries', async () => {
    const names = namesIn(await (await server().ask('/metrics')).text())
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[]
    }
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(asked.length).toBeGreaterThan(10)
    for (const expr of asked) {
      const used = [...expr.matchAll(/\b(?:strata|process)_\w+/g)].map(([name]) => name)
      expect(used.length, expr).toBeGreaterThan(0)
      for (const name of used)
        expect(names.has(name) || names.has(name.replace(/_(?:bucket|sum|count)$/, '')), name).toBe(
          true,
        )
    }
  })
})

it('METRICS_OPEN makes the metrics public, and nothing else', async () => {
  const server = await startServer({ env: { METRICS_OPEN: 'true' } })
  expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
  expect((await fetch(`${server.url}/v1/limits`)).status).toBe(401)
  await expect(startServer({ env: { METRICS_OPEN: 'yes' } })).rejects.toThrow(
    /METRICS_OPEN must be one of false, true, not yes/,
  )
})
