/**
 * Cases of requests that must be refused, as data: what is asked, and the status and code of the
 * answer, which are the same on every platform.
 */

import { type Client, runToEnd, transcript } from '../../support/launch.ts'
import { type RawAnswer, raw } from '../../support/raw.ts'

/** A deployment with two tenants, each with a key that may do everything. */
export interface SecurityHost {
  readonly client: Client
  readonly other: Client
}

export interface Reply {
  readonly status: number
  /** Of the problem; of a run: of the error that its model is told. */
  readonly code?: string | undefined
}
/** What a request created. */
export interface Made {
  readonly id: string
}

export type Ask = (host: SecurityHost) => Promise<Reply>
/** `row`: of the list of security cases; several cases may belong to one. */
export type Case = readonly [
  row: string,
  name: string,
  ask: Ask,
  status: number,
  code?: string | undefined,
  onWorkers?: Different | undefined,
]
/** What the Worker answers, where the platform before it makes another request of this one. */
export interface Different {
  readonly status: number
  readonly code?: string
  readonly because: string
}

export const JSON_TYPE = ['Content-Type', 'application/json'] as const
type Header = readonly [string, string]

const codeOf = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { code?: string } | null)?.code
  } catch {
    return undefined
  }
}

const replyOf = ({ status, body, headers }: RawAnswer): Reply => {
  if (status < 400) return { status }
  const isProblem = headers.get('content-type') === 'application/problem+json'
  return { status, code: isProblem ? codeOf(body) : 'no problem document' }
}

/** The bytes of a request as they stand, because clients repair paths and bodies. */
export const bytes =
  (
    method: string,
    path: string,
    body: string | Buffer = '',
    headers: readonly Header[] = [],
  ): Ask =>
  async ({ client }) =>
    replyOf(await raw(client, { method, path, body, headers }))

export const put = (key: string, headers: readonly Header[] = []): Ask =>
  bytes('PUT', `/v1/files/${key}`, 'x', headers)

/** A body that is JSON, or is to be taken for it. */
export const post = (
  path: string,
  body: string | Buffer,
  headers: readonly Header[] = [JSON_TYPE],
): Ask => bytes('POST', path, body, headers)

export const get = (path: string, headers: readonly Header[] = []): Ask =>
  bytes('GET', path, '', headers)

export async function json(
  client: Client,
  method: string,
  path: string,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply & { readonly body: unknown; readonly headers: Headers }> {
  const init = { method, headers, ...(value === undefined ? {} : { json: value }) }
  const response = await client.ask(path, init)
  const text = await response.text()
  const code = response.status < 400 ? undefined : codeOf(text)
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const body: unknown = isJson ? JSON.parse(text) : text
  return { status: response.status, code, body, headers: response.headers }
}

/** A request with a JSON body. */
export const send =
  (
    method: string,
    path: string,
    value?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Ask =>
  ({ client }) =>
    json(client, method, path, value, headers)

interface ToolResult {
  readonly text: string
  readonly is_error: boolean
}

/** The results that the model of a run is told of its calls. */
export async function resultsIn(client: Client, id: string): Promise<readonly ToolResult[]> {
  const messages = await transcript(client, id)
  return messages.flatMap(({ results = [] }) => results)
}

export const resultsOf = async (client: Client, request: object): Promise<readonly ToolResult[]> =>
  resultsIn(client, (await runToEnd(client, request)).id)

/** A run whose model makes these calls: the first word of the last result, where it is an error. */
export const run =
  (script: string): Ask =>
  async ({ client }) => {
    const results = await resultsOf(client, { input: `${script}\n@then\n@say done` })
    const last = results.at(-1)
    return { status: 202, code: last?.is_error ? last.text.split(/[: \n]/)[0] : undefined }
  }
