/** A service of AWS that takes a request and never answers: nobody waits for it for ever. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, expect, it } from 'vitest'
import { isTrouble } from '../../../../src/hosts/aws/failure.ts'
import { REQUEST_MS, requestsWithin } from '../../../../src/hosts/aws/ports.ts'

/** Says nothing at all, or begins an answer and goes on no more. */
const server = createServer((request, response) => {
  if (request.method !== 'GET') return
  response.writeHead(200, { 'content-length': '10' })
  response.write('begun')
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const SHORT_MS = 300
const client = {
  region: 'us-east-1',
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  requestHandler: requestsWithin(SHORT_MS),
  maxAttempts: 2,
}
const saidOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'an answer',
    (error: unknown) => error,
  )

it('a request without a response is aborted as a service failure', async () => {
  const Key = { p: { S: 'p' }, k: { S: 'k' } }
  const said = await saidOf(
    new DynamoDBClient(client).send(new GetItemCommand({ TableName: 't', Key })),
  )
  expect(said).toMatchObject({ name: 'TimeoutError', $metadata: { attempts: 2 } })
  expect(isTrouble(said)).toBe(true)
})

it('a response that stalls midway is aborted too', async () => {
  const s3 = new S3Client({ ...client, forcePathStyle: true })
  const read = async (): Promise<unknown> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }))
    return Body!.transformToByteArray()
  }
  expect(await saidOf(read())).toMatchObject({ name: 'TimeoutError' })
})

it('a message poll waits longer than the service does', () => {
  expect(REQUEST_MS.poll).toBeGreaterThan(20_000)
})
