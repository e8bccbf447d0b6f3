/**
 * List prices, in one table: US dollars for a million of each thing, without free allowances. AWS
 * is us-east-1. Change a price here, with its source and the day on which it was looked up.
 */

export interface Price {
  /** US dollars for a million. */
  readonly usd: number
  readonly source: string
  readonly date: string
}

const price = (usd: number, source: string): Price => ({ usd, source, date: '2026-11-22' })

const DYNAMODB = 'https://aws.amazon.com/dynamodb/pricing/on-demand/'
const S3 = 'https://aws.amazon.com/s3/pricing/'
const SQS = 'https://aws.amazon.com/sqs/pricing/'
const LAMBDA = 'https://aws.amazon.com/lambda/pricing/'
const D1 = 'https://developers.cloudflare.com/d1/platform/pricing/'
const R2 = 'https://developers.cloudflare.com/r2/pricing/'
const QUEUES = 'https://developers.cloudflare.com/queues/platform/pricing/'
const WORKERS = 'https://developers.cloudflare.com/workers/platform/pricing/'
const STATES = 'https://aws.amazon.com/step-functions/pricing/'

export const PRICES = {
  /** A KB written; twice in a transaction, once more for each index entry. */
  'dynamodb write unit': price(0.625, DYNAMODB),
  /** 4 KB read consistently. */
  'dynamodb read unit': price(0.125, DYNAMODB),
  's3 put, list': price(5, S3),
  's3 get': price(0.4, S3),
  'sqs request': price(0.4, SQS),
  'lambda request': price(0.2, LAMBDA),
  /** A million GB-seconds on ARM. */
  'lambda GB-second': price(13.3334, LAMBDA),
  'd1 row written': price(1, D1),
  'd1 row read': price(0.001, D1),
  'r2 class A': price(4.5, R2),
  'r2 class B': price(0.36, R2),
  'queues operation': price(0.4, QUEUES),
  'workers request': price(0.3, WORKERS),
  /** A million milliseconds of CPU. */
  'workers CPU ms': price(0.02, WORKERS),
  /** A workflow service that is paid by the transition, for comparison. */
  'state transition': price(25, STATES),
} as const satisfies Readonly<Record<string, Price>>

export type Item = keyof typeof PRICES
export type Bill = Partial<Record<Item, number>>

/** US dollars for a million runs that cost this much each. */
export const dollars = (bill: Bill): number =>
  Object.entries(bill).reduce((sum, [item, count]) => sum + PRICES[item as Item].usd * count, 0)
