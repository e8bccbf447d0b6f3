/**
 * `npm run dev:aws [-- --port N]`: the Lambda functions on this machine, between a local DynamoDB, a
 * local S3 and a local SQS, until it is stopped. It needs `java` and, from Debian, `radosgw ceph-mon
 * ceph-osd ceph-common`; nothing is kept. Variables of the shell reach the functions.
 */

import { parseArgs } from 'node:util'
import { newKey } from '../src/engine/tenant/api-keys.ts'
import { newPlace, startLocalAws } from '../test/support/aws/all.ts'
import { startLambda } from '../test/support/aws/lambda.ts'
import { sqsClient } from '../test/support/aws/sqs.ts'
import { portOf, understood } from './command.ts'

const MINUTE_MS = 60_000

const port = understood(() => {
  const options = { port: { type: 'string', default: '8787' } } as const
  return portOf(parseArgs({ options }).values.port)
})
const aws = await startLocalAws()
const place = await newPlace(aws.urls)
const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
// The SDK reads its own settings from the process.
Object.assign(process.env, place.env)
const env = { STRATA_ADMIN_KEY: key, ...process.env, ...place.env } as Record<string, string>
const client = sqsClient(aws.urls.sqs)
const print = (line: string): void => console.error(line)
const lambda = await startLambda(env, client, place.queues, { port, clockMs: MINUTE_MS, print })
console.log(
  `Strata listens on ${lambda.url} (DynamoDB, S3 and SQS of this machine; nothing is kept)`,
)
if (env.STRATA_ADMIN_KEY === key) console.log(`Admin API key: ${key}`)

async function stop(): Promise<void> {
  await lambda.stop()
  client.destroy()
  await aws.stop()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
