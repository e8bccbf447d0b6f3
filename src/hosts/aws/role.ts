/**
 * AWS credentials of this process from any source: variables, a profile, or the role of a function,
 * a container, or a machine. The store's SDK client provides the credential chain; AWS is not
 * contacted before the first model call.
 */

import type { AwsCredentials } from '../models/open.ts'

let chain: Promise<() => Promise<AwsCredentials>> | undefined

/** Returns AWS credentials; the credential chain renews them before they expire. */
export async function processRole(): Promise<AwsCredentials> {
  chain ??= import('@aws-sdk/client-sqs').then(({ SQSClient }) => {
    // The SDK client requires a region, which is never contacted.
    return new SQSClient({ region: process.env.AWS_REGION ?? 'us-east-1' }).config.credentials
  })
  return (await chain)()
}
