/** Requests to a Node host in this process, as a client with its admin key makes them. */

import type { NodeApi } from './node-api.ts'
import { until } from './patience.ts'

export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  readonly body: any
}

export async function ask(
  { url, key }: NodeApi,
  method: string,
  path: string,
  sent?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const raw = typeof sent === 'string'
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      ...(sent === undefined || raw ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: raw ? sent : JSON.stringify(sent) }),
  })
  const text = await response.text()
  const json = /json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: json ? JSON.parse(text) : undefined,
  }
}

export async function putFile(api: NodeApi, path: string, text: string): Promise<void> {
  const { status } = await ask(api, 'PUT', `/v1/files/${path}`, text)
  if (status > 299) throw new Error(`${path} was not stored: ${status}`)
}

/** Starts a run and waits for its end. */
export async function runToEnd(api: NodeApi, json: object): Promise<Asked['body']> {
  const { status, body, text } = await ask(api, 'POST', '/v1/runs', json)
  if (status !== 202) throw new Error(`not accepted: ${status} ${text}`)
  return until(`the end of ${body.id}`, async () => {
    const run = (await ask(api, 'GET', `/v1/runs/${body.id}`)).body
    return ['completed', 'failed', 'cancelled', 'timed_out'].includes(run.status) && run
  })
}

export const eventsOf = async (api: NodeApi, id: string): Promise<Asked['body'][]> =>
  (await ask(api, 'GET', `/v1/runs/${id}/events?limit=100`)).body.data
