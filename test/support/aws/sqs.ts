/** An SQS on this machine, in this process. */

import { SQSClient } from '@aws-sdk/client-sqs'
import { startFauxqs } from 'fauxqs'
import { CREDENTIALS, type Local } from './local.ts'

export async function startSqs(): Promise<Local> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop() }
}

/** A client of the local server. */
export const sqsClient = (url: string): SQSClient =>
  new SQSClient({ endpoint: url, region: 'us-east-1', credentials: CREDENTIALS })
