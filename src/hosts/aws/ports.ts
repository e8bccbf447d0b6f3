/**
 * AWS implementations of three ports, configured by variables that name the table, the bucket, and
 * the queues. Region, credentials, and endpoints (`AWS_ENDPOINT_URL_DYNAMODB` …) use the SDK's
 * variables.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'
import { tellingTrouble } from '../../lib/unavailable.ts'
import type { Objects, Queue, Store } from '../../ports/world.ts'
import { type Environment, required } from '../shared/options.ts'
import { dynamoStore } from './dynamodb.ts'
import { isTrouble } from './failure.ts'
import { s3Objects } from './s3.ts'
import { type QueueUrls, sqsQueue } from './sqs.ts'

/**
 * Size above which compressed bodies are cheaper in S3, in bytes; a transaction costs two write
 * units per KB.
 */
export const SPILL_BYTES = 8_192

/**
 * Time-outs of a request before its retry, in milliseconds; a read resolves the outcome. Long
 * polling keeps a request open for 20 s.
 */
export const REQUEST_MS = { ask: 10_000, poll: 30_000 } as const

/**
 * Returns the connection settings of an SDK client. By default, the SDK only warns about an
 * exceeded time-out. A connection that died while a function was frozen would then block a request
 * until the function is killed.
 */
export const requestsWithin = (ms: number) => ({
  connectionTimeout: 2_000,
  requestTimeout: ms,
  throwOnRequestTimeout: true,
  /** Time-out for a response that stalls after it has started. */
  socketTimeout: ms,
  /** Requests above this limit wait for a free connection. */
  httpsAgent: { maxSockets: 128 },
})
const requestHandler = requestsWithin(REQUEST_MS.ask)

export function openStore(env: Environment, objects: Objects): Store {
  const client = new DynamoDBClient({ requestHandler })
  const table = required(env, 'STRATA_TABLE')
  const store = dynamoStore({ client, table, objects, spillBytes: SPILL_BYTES })
  return tellingTrouble(store, isTrouble)
}

export function openObjects(env: Environment): Objects {
  const client = new S3Client({
    requestHandler,
    // A self-hosted S3 server uses one host name for all buckets.
    forcePathStyle: env.AWS_ENDPOINT_URL_S3 !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return tellingTrouble(s3Objects(client, required(env, 'STRATA_BUCKET')), isTrouble)
}

export const openQueues = (env: Environment): { client: SQSClient; urls: QueueUrls } => ({
  client: new SQSClient({ requestHandler: requestsWithin(REQUEST_MS.poll) }),
  urls: {
    main: queueUrl(env, 'STRATA_QUEUE_MAIN'),
    subagent: queueUrl(env, 'STRATA_QUEUE_SUBAGENT'),
    background: queueUrl(env, 'STRATA_QUEUE_BACKGROUND'),
    resume: queueUrl(env, 'STRATA_QUEUE_RESUME'),
  },
})

/** Checks a queue's URL; the SDK would accept a name or an ARN, but no message would arrive. */
function queueUrl(env: Environment, name: string): string {
  const text = required(env, name)
  if (/^https?:\/\/./.test(text)) return text
  throw new Error(`${name} must be a queue URL, not ${text}`)
}

export const openQueue = (env: Environment): Queue => {
  const { client, urls } = openQueues(env)
  return sqsQueue(client, urls)
}
