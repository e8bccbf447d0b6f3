/**
 * Lambda on one machine: a function URL as an HTTP server that calls the real handler with the
 * real event, an event-source mapping that polls SQS for each queue, and a clock.
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { QUEUE_NAMES, type QueueUrls } from '../../../src/hosts/aws/sqs.ts'
import type { LambdaRuntime, Metadata, ResponseStream } from '../../../src/hosts/aws/url.ts'
import {
  type LambdaHandlers,
  lambdaHandlers,
  type SqsAnswer,
  type SqsEvent,
} from '../../../src/hosts/lambda.ts'
import { assetsIn } from '../../../src/hosts/node/assets.ts'
import { writeAssets } from '../../tools/assets.ts'

export interface LocalLambda {
  readonly url: string
  /** A new process: its memory begins empty. */
  renew(): void
  stop(): Promise<void>
}

export interface LambdaOptions {
  /** False: nobody takes wakes from the queues, and no clock ticks. */
  readonly consumes?: boolean
  /** 0: any free port. */
  readonly port?: number
  readonly clockMs?: number
  /** Takes the lines of the functions' logs; by default errors alone are shown. */
  readonly print?: (line: string) => void
}

const printErrors = (line: string): void => {
  if (line.includes('"Errors"')) console.error(line)
}

const CONCURRENCY = { main: 4, subagent: 8, background: 4, resume: 8 }
export const CONTEXT = { getRemainingTimeInMillis: () => 900_000 }

export async function startLambda(
  env: Readonly<Record<string, string>>,
  client: SQSClient,
  queues: QueueUrls,
  { consumes = true, port = 0, clockMs = 2_000, print = printErrors }: LambdaOptions = {},
): Promise<LocalLambda> {
  const server = createServer((request, response) => {
    void functionUrl(handlers.front, request, response).catch((error) => {
      console.error('function URL', error)
      response.destroy()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // A function URL has HTTPS, and this one has not.
  const settings = { STRATA_PUBLIC_URL: url, ...env }
  writeAssets()
  const assets = assetsIn(pathToFileURL(join(import.meta.dirname, '../../../dist/assets/')))
  // Functions share no memory: requests and wakes are processes of their own.
  const make = () => ({
    front: lambdaHandlers(settings, RUNTIME, print, assets),
    back: lambdaHandlers(settings, RUNTIME, print),
  })
  let handlers = make()
  const stop = new AbortController()
  const names = consumes ? QUEUE_NAMES : []
  const mappings = names.flatMap((name) =>
    Array.from({ length: CONCURRENCY[name] }, () =>
      mapping(client, queues[name], (event) => handlers.back.work(event, CONTEXT), stop.signal),
    ),
  )
  const tick = (): void => void handlers.back.clock().catch(console.error)
  const timer = consumes ? setInterval(tick, clockMs) : undefined
  return {
    url,
    renew() {
      handlers = make()
    },
    async stop() {
      clearInterval(timer)
      stop.abort()
      server.closeAllConnections()
      server.close()
      await Promise.all(mappings)
    },
  }
}

/** One consumer of a queue: receive, call, delete what was not handed back. */
export async function mapping(
  client: SQSClient,
  QueueUrl: string,
  handler: (event: SqsEvent) => Promise<SqsAnswer>,
  signal: AbortSignal,
): Promise<void> {
  const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 })
  while (!signal.aborted) {
    const { Messages = [] } = await client
      .send(receive, { abortSignal: signal })
      .catch(() => ({ Messages: [] }))
    const Records = Messages.map(({ MessageId = '', Body = '' }) => {
      return { messageId: MessageId, body: Body }
    })
    if (Records.length === 0) continue
    const { batchItemFailures } = await handler({ Records })
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    for (const { MessageId = '', ReceiptHandle } of Messages) {
      if (!failed.has(MessageId))
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
    }
  }
}

/** The stream is a response of ours; the metadata become its head. */
export const RUNTIME: LambdaRuntime = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: {
    from(stream: ResponseStream, { statusCode, headers, cookies }: Metadata): ResponseStream {
      const all = { ...headers, ...(cookies && { 'set-cookie': [...cookies] }) }
      ;(stream as unknown as ServerResponse).writeHead(statusCode, all)
      return stream
    },
  },
}

async function functionUrl(
  handlers: LambdaHandlers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [rawPath = '/', rawQueryString = ''] = (request.url ?? '/').split('?', 2)
  const headers = Object.entries(request.headersDistinct).map(([name, values = []]) => {
    return [name, values.join(',')] as const
  })
  const { cookie } = request.headers
  const event = {
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(headers.filter(([name]) => !LEFT_OUT.has(name))),
    ...(cookie === undefined ? {} : { cookies: cookie.split(/; */) }),
    requestContext: {
      domainName: request.headers.host ?? '',
      http: { method: request.method ?? 'GET', sourceIp: request.socket.remoteAddress ?? '' },
    },
    ...(chunks.length === 0
      ? {}
      : { body: Buffer.concat(chunks).toString('base64'), isBase64Encoded: true }),
  }
  await handlers.http(event, response as unknown as ResponseStream, CONTEXT)
}

/** Headers of one hop, and the one that has a member of its own. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['connection', 'transfer-encoding', 'keep-alive'],
  'cookie',
])
