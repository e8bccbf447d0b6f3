/**
 * The hosts on AWS, end to end: the Lambda handlers (events in, streams out, wakes by SQS), and the
 * Node server on the same storage.
 */

import { inject } from 'vitest'
import { newKey } from '../../../src/engine/tenant/api-keys.ts'
import { hostContract } from '../../contract/host.ts'
import { newPlace } from '../../support/aws/all.ts'
import { startLambda } from '../../support/aws/lambda.ts'
import { sqsClient } from '../../support/aws/sqs.ts'
import { clientOf, launchServer } from '../../support/launch.ts'

hostContract('AWS Lambda', async (env, open) => {
  const urls = inject('aws')
  const place = await newPlace(urls)
  // The SDK reads its own settings from the process.
  Object.assign(process.env, place.env)
  const { key } = newKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
  const client = sqsClient(urls.sqs)
  const all = { ...place.env, ...env, STRATA_ADMIN_KEY: key }
  const lambda = await startLambda(all, client, place.queues)
  open.push(async () => {
    await lambda.stop()
    client.destroy()
  })
  return {
    client: clientOf(lambda.url, key),
    restart: async () => {
      lambda.renew()
      return clientOf(lambda.url, key)
    },
  }
})

hostContract('Node on DynamoDB, S3 and SQS', async (env, open) => {
  const place = await newPlace(inject('aws'))
  const all = { STORE: 'dynamodb', OBJECTS: 's3', QUEUE: 'sqs', ...place.env, ...env }
  let server = await launchServer({ env: all, open })
  return {
    client: server,
    restart: async () => {
      await server.process.stop()
      server = await launchServer({ env: all, open, before: server })
      return server
    },
  }
})
