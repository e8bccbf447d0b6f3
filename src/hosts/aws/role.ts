/**
 * Credentials of this process from any source: variables, a profile, or the role of a function, a
 * container, or a machine. The store's client provides the chain; AWS is not contacted before the
 * first model call.
 */

import type { AwsCredentials } from '../models/open.ts'

let chain: Promise<() => Promise<AwsCredentials>> | undefined

/** Returns credentials, which the chain renews before they expire. */
export async function processRole(): Promise<AwsCredentials> {
  chain ??= import('@aws-sdk/client-sqs').then(({ SQSClient }) => {
    // A client requires a region, which is never contacted.
    return new SQSClient({ region: process.env.AWS_REGION ?? 'us-east-1' }).config.credentials
  })
  return (await chain)()
}
