/**
 * The three ports of AWS, from variables: where the table, the bucket and the queues are. Region,
 * credentials and endpoints (`AWS_ENDPOINT_URL_DYNAMODB` …) are the SDK's own variables.
 */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'
import { tellingTrouble } from '../../lib/unavailable.ts'
import type { Objects, Queue, Store } from '../../ports/world.ts'
import { type Environment, required } from '../web/options.ts'
import { dynamoStore } from './dynamodb.ts'
import { isTrouble } from './failure.ts'
import { s3Objects } from './s3.ts'
import { type QueueUrls, sqsQueue } from './sqs.ts'

/** Compressed bodies above this are cheaper in S3: a transaction pays two write units a KB. */
export const SPILL_BYTES = 8_192

/** A request that takes longer is tried again; what became of it is settled by a read. */
const TIMEOUTS = { connectionTimeout: 2_000, requestTimeout: 10_000 }
/** Two clients keep so many connections each; more requests wait for one. */
const requestHandler = { ...TIMEOUTS, httpsAgent: { maxSockets: 128 } }

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
  // Long polling keeps a request open for 20 s.
  client: new SQSClient({ requestHandler: { ...requestHandler, requestTimeout: 30_000 } }),
  urls: {
    main: required(env, 'STRATA_QUEUE_MAIN'),
    subagent: required(env, 'STRATA_QUEUE_SUBAGENT'),
    background: required(env, 'STRATA_QUEUE_BACKGROUND'),
    resume: required(env, 'STRATA_QUEUE_RESUME'),
  },
})

export const openQueue = (env: Environment): Queue => {
  const { client, urls } = openQueues(env)
  return sqsQueue(client, urls)
}
