/** A receiver of OTLP over HTTP: keeps every span that it was sent, also those sent twice. */

import type { Received } from './canned-server.ts'
import { type CannedServer, startCannedServer } from './canned-server.ts'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code: number; readonly message?: string }
}

export interface OtlpReceiver extends Pick<CannedServer, 'origin' | 'close' | 'received'> {
  /** As they came. */
  readonly spans: readonly ReceivedSpan[]
  /** What it answers from now on; 200 at first. */
  answer(status: number): void
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  let status = 200
  const server = await startCannedServer((request, response) => {
    if (status === 200) spans.push(...spansIn(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  const { origin, close, received } = server
  return {
    ...{ origin, close, received, spans },
    answer(next) {
      status = next
    },
  }
}

function spansIn({ method, url, body }: Received): ReceivedSpan[] {
  if (method !== 'POST' || url !== '/v1/traces') throw new Error(`${method} ${url} is no export`)
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
}

/** Each span once. Fails when two that have one id differ. */
export function distinct(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const known = new Map<string, ReceivedSpan>()
  for (const span of spans) {
    const before = known.get(span.spanId)
    if (before && JSON.stringify(before) !== JSON.stringify(span))
      throw new Error(`two spans are ${span.spanId}: ${before.name} and ${span.name}`)
    known.set(span.spanId, span)
  }
  return [...known.values()]
}

export const attributeOf = ({ attributes }: ReceivedSpan, name: string): unknown => {
  const found = attributes.find(({ key }) => key === name)?.value
  return found === undefined ? undefined : Object.values(found)[0]
}

export interface SpanTree {
  readonly name: string
  readonly below: readonly SpanTree[]
}

/** By names alone, so that two traces can be compared; throws where it is no tree. */
export function treeOf(spans: readonly ReceivedSpan[]): SpanTree {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const roots = spans.filter(({ parentSpanId: parent }) => !parent || !ids.has(parent))
  if (roots.length !== 1) throw new Error(`roots: ${roots.map(({ name }) => name).join(', ')}`)
  let seen = 0
  const grow = (span: ReceivedSpan): SpanTree => {
    seen += 1
    const label = attributeOf(span, 'strata.run.label')
    const below = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId).map(grow)
    const name = label === undefined ? span.name : `${span.name} ${label}`
    return { name, below: below.sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1)) }
  }
  const tree = grow(roots[0]!)
  if (seen !== spans.length) throw new Error('there is a circle')
  return tree
}

const textOf = (tree: SpanTree): string => JSON.stringify(tree)
