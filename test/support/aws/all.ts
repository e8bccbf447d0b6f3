/** All three local servers, and a place of one's own on them: a table, a bucket, queues. */

import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { QUEUE_NAMES, type QueueUrls } from '../../../src/hosts/aws/sqs.ts'
import { createTable, startDynamo } from './dynamodb.ts'
import type { Local } from './local.ts'
import { CREDENTIALS } from './local.ts'
import { createBucket, startRadosgw } from './radosgw.ts'
import { sqsClient, startSqs } from './sqs.ts'

export interface Urls {
  readonly dynamodb: string
  readonly s3: string
  readonly sqs: string
}
export interface LocalAws {
  readonly urls: Urls
  stop(): Promise<void>
}

export async function startLocalAws(): Promise<LocalAws> {
  const started = await Promise.allSettled([startDynamo(), startRadosgw(), startSqs()])
  const running = started.flatMap((one): Local[] => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((one) => one.stop()))
  }
  const failed = started.find((one) => one.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  const [dynamodb = '', s3 = '', sqs = ''] = running.map(({ url }) => url)
  return { urls: { dynamodb, s3, sqs }, stop }
}

export interface Place {
  readonly table: string
  readonly bucket: string
  readonly queues: QueueUrls
  /** Variables that make a host of ours find it. */
  readonly env: Readonly<Record<string, string>>
}

let count = 0

export async function newPlace(urls: Urls): Promise<Place> {
  const name = `strata-${process.pid}-${Date.now().toString(36)}-${(count += 1)}`
  await Promise.all([createTable(urls.dynamodb, name), createBucket(urls.s3, name)])
  const queues = await createQueues(urls.sqs, name)
  return {
    table: name,
    bucket: name,
    queues,
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: urls.dynamodb,
      AWS_ENDPOINT_URL_S3: urls.s3,
      AWS_ENDPOINT_URL_SQS: urls.sqs,
      STRATA_TABLE: name,
      STRATA_BUCKET: name,
      STRATA_MASTER_KEY: '0123456789abcdef'.repeat(4),
      ...Object.fromEntries(
        QUEUE_NAMES.map((queue) => [
          `STRATA_QUEUE_${queue.toUpperCase()}`,
          queues[queue].join(','),
        ]),
      ),
    },
  }
}

/** The queue's address on this server. */
export async function createQueue(
  client: SQSClient,
  url: string,
  QueueName: string,
  Attributes: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName, Attributes }))
  // It names a host as AWS has them, which nothing here resolves.
  return `${url}${new URL(QueueUrl.replace(/sqs\.[\w-]+\./, '')).pathname}`
}

/** So many of each lane. */
export async function createQueues(url: string, prefix: string, count = 1): Promise<QueueUrls> {
  const client = sqsClient(url)
  const made = await Promise.all(
    QUEUE_NAMES.map(async (name) => {
      const names = Array.from({ length: count }, (_, at) => `${prefix}-${name}-${at + 1}`)
      return [name, await Promise.all(names.map((one) => createQueue(client, url, one)))] as const
    }),
  )
  client.destroy()
  return Object.fromEntries(made) as unknown as QueueUrls
}
