/**
 * List prices, in one table: US dollars for a million of each thing, without free allowances. AWS
 * is us-east-1. Change a price here, with its source and the day on which it was looked up. Some
 * vendors' pages fill in their numbers by script; for those the page that quotes them is named too.
 */

interface Price {
  /** US dollars for a million. */
  readonly usd: number
  /** The vendor's own page. */
  readonly source: string
  /** Where the number was read, if not there. */
  readonly readAt?: string
  readonly date: string
}

const price = (
  usd: number,
  [source, readAt]: readonly [string, string?],
  date = '2026-11-22',
): Price => ({ usd, source, ...(readAt === undefined ? {} : { readAt }), date })

const LATER = '2026-11-23'

const DYNAMODB = ['https://aws.amazon.com/dynamodb/pricing/on-demand/'] as const
const S3 = [
  'https://aws.amazon.com/s3/pricing/',
  'https://c3x.dev/blog/s3-request-fees-explained',
] as const
const SQS = [
  'https://aws.amazon.com/sqs/pricing/',
  'https://cloudburn.io/blog/amazon-sqs-pricing',
] as const
const LAMBDA = [
  'https://aws.amazon.com/lambda/pricing/',
  'https://cloudchipr.com/blog/aws-lambda-pricing',
] as const
const D1 = ['https://developers.cloudflare.com/d1/platform/pricing/'] as const
const R2 = ['https://developers.cloudflare.com/r2/pricing/'] as const
const OBJECTS = ['https://developers.cloudflare.com/durable-objects/platform/pricing/'] as const
const WORKERS = ['https://developers.cloudflare.com/workers/platform/pricing/'] as const
const STATES = ['https://aws.amazon.com/step-functions/pricing/'] as const

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
  /** Each call to an object, and each alarm of one. */
  'object request': price(0.15, OBJECTS, LATER),
  /** A million seconds of 1 GB; an object has 128 MB as long as it is at work or cannot hibernate. */
  'object GB-second': price(12.5, OBJECTS, LATER),
  'object row read': price(0.001, OBJECTS, LATER),
  /** Rows of indexes too; setting an alarm is one. */
  'object row written': price(1, OBJECTS, LATER),
  'workers request': price(0.3, WORKERS),
  /** A million milliseconds of CPU. */
  'workers CPU ms': price(0.02, WORKERS),
  /** Storage: a million GB-months. */
  'dynamodb GB-month': price(250_000, DYNAMODB),
  'object GB-month': price(200_000, OBJECTS, LATER),
  'd1 GB-month': price(750_000, D1),
  'r2 GB-month': price(15_000, R2),
  /** A workflow service that is paid by the transition, for comparison. */
  'state transition': price(25, STATES),
} as const satisfies Readonly<Record<string, Price>>

export type Item = keyof typeof PRICES
export type Bill = Partial<Record<Item, number>>

/** US dollars for a million runs that cost this much each. */
export const dollars = (bill: Bill): number =>
  Object.entries(bill).reduce((sum, [item, count]) => sum + PRICES[item as Item].usd * count, 0)

const TIMES: ReadonlySet<string> = new Set<Item>([
  'lambda request',
  'lambda GB-second',
  'workers request',
  'workers CPU ms',
  'object GB-second',
])

/** Whether it is paid for running a program, not for what that asks of a store or a queue. */
export const isTime = (item: string): boolean => TIMES.has(item)
