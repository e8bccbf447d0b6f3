/**
 * What the platforms allow, and what this program allows itself: one table. A limit of a platform
 * has the page that says it and the day on which it was read; one of ours has the file that sets it.
 */

import { SHARDS } from '../../../src/hosts/aws/table.ts'

export interface Limit {
  /** A second, bytes, or places at once. */
  readonly value: number
  readonly of: string
  readonly bounds: string
  /**
   * `hard`: it is as it is, and a program must spread over more of such places. `account`: raised
   * by asking. `ours`: a number of this program.
   */
  readonly kind: 'hard' | 'account' | 'ours'
  /** The page; of ours the file. */
  readonly source: string
  readonly read: string
}

const READ = '2026-11-23'

const hard = (value: number, of: string, bounds: string, source: string): Limit => ({
  value,
  of,
  bounds,
  kind: 'hard',
  source,
  read: READ,
})
const account = (...given: Parameters<typeof hard>): Limit => ({
  ...hard(...given),
  kind: 'account',
})
const ours = (...given: Parameters<typeof hard>): Limit => ({ ...hard(...given), kind: 'ours' })

const CF = 'https://developers.cloudflare.com'
const AWS = 'https://docs.aws.amazon.com'
const DYNAMO = `${AWS}/amazondynamodb/latest/developerguide`

/** Widest lane that the settings take (src/hosts/shared/options.ts), and its usual width. */
const WIDEST = 16_000

export const WORKERS_LIMITS = {
  'd1 size': hard(10e9, 'bytes', 'one D1 database', `${CF}/d1/platform/limits/`),
  // "Approximately 1,000 queries a second" where one takes a millisecond: one thread serves all.
  'd1 queries': hard(
    1_000,
    'queries of 1 ms a second',
    'one D1 database',
    `${CF}/d1/platform/limits/`,
  ),
  'object requests': hard(
    1_000,
    'requests a second',
    'one object ("soft": more of them wait, then are refused as overloaded)',
    `${CF}/durable-objects/reference/faq/`,
  ),
  'r2 writes of a key': hard(1, 'writes a second', 'one key of R2', `${CF}/r2/platform/limits/`),
  'main lane': ours(64, 'runs at once', 'LANE_MAIN as set', 'src/hosts/shared/options.ts'),
  'main lane, widest': ours(
    WIDEST,
    'runs at once',
    'LANE_MAIN at most',
    'src/hosts/shared/options.ts',
  ),
  'subagent lane': ours(128, 'runs at once', 'LANE_SUBAGENT as set', 'src/hosts/shared/options.ts'),
  'subagent lane, widest': ours(
    WIDEST,
    'runs at once',
    'LANE_SUBAGENT at most',
    'src/hosts/shared/options.ts',
  ),
  // 130 statements of 500 rows each minute.
  sweep: ours(
    65_000 / 60,
    'rows a second',
    'what the minute removes from D1',
    'src/hosts/worker.ts',
  ),
} as const satisfies Readonly<Record<string, Limit>>

export const AWS_LIMITS = {
  'partition writes': hard(
    1_000,
    'write units a second',
    'one partition key of the table or of an index',
    `${DYNAMO}/bp-partition-key-design.html`,
  ),
  'partition reads': hard(
    3_000,
    'read units a second',
    'one partition key of the table or of an index',
    `${DYNAMO}/bp-partition-key-design.html`,
  ),
  'table writes': account(
    40_000,
    'write units a second',
    'one table on demand',
    'https://docs.amazonaws.cn/en_us/amazondynamodb/latest/developerguide/Limits.html',
  ),
  'table reads': account(
    40_000,
    'read units a second',
    'one table on demand',
    'https://docs.amazonaws.cn/en_us/amazondynamodb/latest/developerguide/Limits.html',
  ),
  'lambda concurrency': account(
    1_000,
    'executions at once',
    'all functions of an account',
    `${AWS}/lambda/latest/dg/limits.html`,
  ),
  'event source': hard(
    1_000,
    'executions at once',
    'one event source of SQS: one lane',
    `${AWS}/lambda/latest/dg/services-sqs-scaling.html`,
  ),
  'main lane': ours(64, 'executions at once', 'lane-main as set', 'infra/settings.ts'),
  'subagent lane': ours(128, 'executions at once', 'lane-subagent as set', 'infra/settings.ts'),
  'resume lane': ours(128, 'executions at once', 'lane-resume as set', 'infra/settings.ts'),
  'sqs in flight': account(
    120_000,
    'messages at once',
    'one standard queue',
    `${AWS}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html`,
  ),
  's3 writes': hard(
    3_500,
    'requests a second that write or list',
    'one prefix of S3 (it splits busy prefixes by itself, within an hour)',
    'https://repost.aws/knowledge-center/http-5xx-errors-s3',
  ),
  's3 reads': hard(
    5_500,
    'reads a second',
    'one prefix of S3 (it splits busy prefixes by itself, within an hour)',
    'https://repost.aws/knowledge-center/http-5xx-errors-s3',
  ),
  // A vCPU is 1,769 MB; the function of the clock has 256 MB and is one.
  'clock processor': hard(
    (256 / 1_769) * 1_000,
    'ms of a processor a second',
    'the one function of the clock, of 256 MB (infra/stack.ts)',
    `${AWS}/lambda/latest/dg/resource-model.html`,
  ),
  // 1,000 pages of 100 a minute (src/engine/worker/tick.ts).
  'clock pages': ours(100_000 / 60, 'alarms a second', 'one tick', 'src/engine/worker/tick.ts'),
} as const satisfies Readonly<Record<string, Limit>>

/** Places over which alarms of one rank are spread in the index. */
export const ALARM_SHARDS = SHARDS

/** Limits that sustained load does not meet, and why. */
export const UNMET: readonly (readonly [home: 'workers' | 'aws', what: string, source: string])[] =
  [
    [
      'workers',
      'requests to a Worker, objects of a class, storage of all objects: unlimited on the paid plan',
      `${CF}/durable-objects/platform/limits/`,
    ],
    [
      'workers',
      'six connections that wait within one event: of one run, not of a rate',
      `${CF}/workers/platform/limits/`,
    ],
    [
      'aws',
      '1,000 new executions of a function every 10 s: it bounds how fast a load may come, not how high',
      `${AWS}/lambda/latest/dg/scaling-behavior.html`,
    ],
    [
      'aws',
      '300 more executions a minute of one event source: the same',
      `${AWS}/lambda/latest/dg/services-sqs-scaling.html`,
    ],
    [
      'aws',
      'a new table begins at 4,000 write units a second and doubles in 30 minutes: the same',
      'https://repost.aws/knowledge-center/on-demand-table-throttling-dynamodb',
    ],
    [
      'aws',
      'size of a table, messages of a standard queue a second: unlimited',
      `${DYNAMO}/ServiceQuotas.html`,
    ],
  ]
