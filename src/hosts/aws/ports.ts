/**
 * The three ports of AWS, from variables that name the table, the bucket and the queues. Region,
 * credentials and endpoints (`AWS_ENDPOINT_URL_DYNAMODB` …) are the SDK's own variables.
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

/** Compressed bodies above this are cheaper in S3: a transaction pays two write units a KB. */
export const SPILL_BYTES = 8_192

/**
 * Request time-out before a retry; a read resolves the outcome. Long polling keeps a request open
 * for 20 s.
 */
export const REQUEST_MS = { ask: 10_000, poll: 30_000 } as const

/**
 * How a client keeps its connections. By itself the SDK only warns of a time that is over: a
 * connection that died while a function slept would hold a request until the function is killed.
 */
export const requestsWithin = (ms: number) => ({
  connectionTimeout: 2_000,
  requestTimeout: ms,
  throwOnRequestTimeout: true,
  /** An answer that has begun and stops. */
  socketTimeout: ms,
  /** More requests wait for one of these. */
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
    // A server of one's own has one name for all buckets.
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

/** A name or an ARN would be accepted only by the SDK: no message would ever arrive. */
function queueUrl(env: Environment, name: string): string {
  const text = required(env, name)
  if (/^https?:\/\/./.test(text)) return text
  throw new Error(`${name} must be the URL of a queue, not ${text}`)
}

export const openQueue = (env: Environment): Queue => {
  const { client, urls } = openQueues(env)
  return sqsQueue(client, urls)
}
