/** Spans of ended runs at an OTLP receiver: whole, and one tree with the caller's span above it. */

import { expect } from 'vitest'
import { type Client, type RunShown, untilEnd } from '../support/launch.ts'
import { attributeOf, distinct, type OtlpReceiver, treeOf } from '../support/otlp-receiver.ts'
import { eventually } from './store/kit.ts'

const TRACE = 'c0ffee'.padEnd(32, '7')
const CALLER = '00f067aa0ba902b7'
const CHILDREN = 2

export async function sendsTraces(client: Client, receiver: OtlpReceiver): Promise<void> {
  const run = await client.get<RunShown>('/v1/runs', {
    method: 'POST',
    json: { input: `@spawn ${CHILDREN} {"task":"@say part {i}"}\n@await\n@say {results}` },
    headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
  })
  expect((await untilEnd(client, run.id)).status).toBe('completed')
  const spans = () => distinct(receiver.spans.filter(({ traceId }) => traceId === TRACE))
  const runs = () => spans().filter(({ name }) => name.startsWith('invoke_agent'))
  await eventually(async () => expect(runs()).toHaveLength(1 + CHILDREN))
  const root = runs().find((span) => attributeOf(span, 'strata.run.id') === run.id)
  expect(root?.parentSpanId).toBe(CALLER)
  const { name, below } = treeOf(spans())
  expect(name).toBe('invoke_agent general')
  const names = below.map((one) => one.name.split(' ')[0])
  expect(new Set(names)).toEqual(new Set(['chat', 'execute_tool', 'wait']))
}
