/**
 * The credentials of this process, wherever they come from: variables, a profile, the role of a
 * function, a container or a machine. The client of the store brings the chain; nothing is asked of
 * AWS before a model is called.
 */

import type { AwsCredentials } from '../models/open.ts'

let chain: Promise<() => Promise<AwsCredentials>> | undefined

/** Renewed by the chain before they expire. */
export async function processRole(): Promise<AwsCredentials> {
  chain ??= import('@aws-sdk/client-sqs').then(({ SQSClient }) => {
    // A client requires a region, which is never contacted.
    return new SQSClient({ region: process.env.AWS_REGION ?? 'us-east-1' }).config.credentials
  })
  return (await chain)()
}
