/**
 * Before the tests of the AWS wing: DynamoDB Local, radosgw and an SQS are started once, and
 * stopped when all tests have ended. A missing program fails the run; nothing is skipped.
 */

import type { TestProject } from 'vitest/node'
import { startLocalAws } from '../../support/aws/all.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const aws = await startLocalAws()
  project.provide('aws', aws.urls)
  return aws.stop
}

declare module 'vitest' {
  interface ProvidedContext {
    aws: { dynamodb: string; s3: string; sqs: string }
  }
}
