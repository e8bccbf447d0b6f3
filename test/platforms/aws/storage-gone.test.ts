/** A bucket of S3 that is deleted under its servers, or is another one, is not an empty one. */

import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { inject, it } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { newPlace } from '../../support/aws/all.ts'
import { startLambda } from '../../support/aws/lambda.ts'
import { s3Client } from '../../support/aws/radosgw.ts'
import { sqsClient } from '../../support/aws/sqs.ts'
import { cleanup } from '../../support/cleanup.ts'
import { clientOf, launchServer } from '../../support/launch.ts'
import { startModelServer } from '../../support/model-server.ts'
import { SCRIPTED } from '../../support/worker.ts'
import { fillBucket, untilBack, untilGone } from '../storage-gone.ts'

const MARKER = '_/marker'

function bucketOf(url: string, Bucket: string) {
  const s3 = s3Client(url)
  cleanup.push(async () => s3.destroy())
  const put = (Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body }))
  const read = async (Key: string) =>
    (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString() ?? ''
  const keys = async () =>
    ((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(
      ({ Key = '' }) => Key,
    )
  return {
    put,
    create: () => s3.send(new CreateBucketCommand({ Bucket })),
    async all() {
      return Promise.all((await keys()).map(async (key) => [key, await read(key)] as const))
    },
    async drop() {
      // A request that was under way may still write one.
      for (let left = await keys(); left.length > 0; left = await keys()) {
        await Promise.all(left.map((Key) => s3.send(new DeleteObjectCommand({ Bucket, Key }))))
      }
      await s3.send(new DeleteBucketCommand({ Bucket }))
    },
  }
}

it('missing storage returns 503 on Lambda and on a Node process until it is back', async () => {
  const model = await startModelServer()
  cleanup.push(() => model.close())
  const urls = inject('aws')
  const place = await newPlace(urls)
  Object.assign(process.env, place.env)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const env = { ...place.env, ...SCRIPTED, OPENAI_BASE_URL: model.url, STRATA_ADMIN_KEY: key }
  const sqs = sqsClient(urls.sqs)
  const lambda = await startLambda(env, sqs, place.queues, { print: () => undefined })
  cleanup.push(async () => {
    await lambda.stop()
    sqs.destroy()
  })
  const storage = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs' }
  const node = await launchServer({
    env: { ...env, ...storage },
    open: cleanup,
    before: { dataDir: '', key },
  })
  const clients = [clientOf(lambda.url, key), node]
  const each = async (check: (client: (typeof clients)[number]) => Promise<void>) => {
    for (const client of clients) await check(client)
  }
  await each(fillBucket)
  const bucket = bucketOf(urls.s3, place.bucket)
  const before = await bucket.all()

  await bucket.drop()
  await each(untilGone)
  await bucket.create()
  await each(untilGone)
  await bucket.put(MARKER, 'another\n')
  await each(untilGone)

  for (const [path, text] of before) await bucket.put(path, text)
  await each(untilBack)
})
