/** A queue for each lane and one for runs that have started, each with its dead letters. */

import { Duration } from 'aws-cdk-lib'
import * as sqs from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { RECEIVES, VISIBILITY_MINUTES } from './queues.ts'
import { LANES, type Lane } from './settings.ts'

export interface LaneQueues {
  readonly queue: sqs.Queue
  readonly dead: sqs.Queue
}

/** A lane in the name of a resource. */
export const camel = (lane: Lane): string => lane[0]!.toUpperCase() + lane.slice(1)

export function createQueues(scope: Construct): Readonly<Record<Lane, LaneQueues>> {
  const made = LANES.map((lane) => {
    const dead = new sqs.Queue(scope, `${camel(lane)}Dead`, {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    const queue = new sqs.Queue(scope, `${camel(lane)}Queue`, {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(VISIBILITY_MINUTES),
      deadLetterQueue: { queue: dead, maxReceiveCount: RECEIVES },
    })
    return [lane, { queue, dead }] as const
  })
  return Object.fromEntries(made) as Record<Lane, LaneQueues>
}
