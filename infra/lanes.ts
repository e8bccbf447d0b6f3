/**
 * A queue for each lane and one for runs that have started, each with its dead letters; of a lane that
 * is wider than one event source can be, several of both.
 */

import { Duration } from 'aws-cdk-lib'
import * as sqs from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { RECEIVES, VISIBILITY_MINUTES, widthsOf } from './queues.ts'
import { LANES, type Lane, type Settings } from './settings.ts'

export interface LaneQueue {
  /** Of the lane's queues: nothing for the first, `2` for the second. */
  readonly suffix: string
  readonly queue: sqs.Queue
  readonly dead: sqs.Queue
  /** Its share of the lane. */
  readonly width: number
}

/** Never none. */
export type LaneQueues = Readonly<Record<Lane, readonly LaneQueue[]>>

/** A lane in the name of a resource. */
export const camel = (lane: Lane): string => lane[0]!.toUpperCase() + lane.slice(1)

export function createQueues(scope: Construct, lanes: Settings['lanes']): LaneQueues {
  const made = LANES.map((lane) => {
    const queues = widthsOf(lanes[lane]).map((width, index) => {
      const suffix = index === 0 ? '' : `${index + 1}`
      return { ...createQueue(scope, camel(lane), suffix), suffix, width }
    })
    return [lane, queues] as const
  })
  return Object.fromEntries(made) as unknown as LaneQueues
}

function createQueue(scope: Construct, lane: string, suffix: string) {
  const dead = new sqs.Queue(scope, `${lane}Dead${suffix}`, {
    encryption: sqs.QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  })
  const queue = new sqs.Queue(scope, `${lane}Queue${suffix}`, {
    encryption: sqs.QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: Duration.minutes(VISIBILITY_MINUTES),
    deadLetterQueue: { queue: dead, maxReceiveCount: RECEIVES },
  })
  return { queue, dead }
}

/** As the program takes them. */
export const urlsOf = (queues: readonly LaneQueue[]): string =>
  queues.map(({ queue }) => queue.queueUrl).join(',')
