/**
 * How long one call takes from a function in the same region, in milliseconds. Vendors publish
 * orders of magnitude; each number stands within what its source says, looked up on 2026-11-23.
 */

import type { Latencies } from './aws-world.ts'

/** "Single-digit millisecond" for one item. */
const DYNAMODB = 'https://aws.amazon.com/dynamodb/'
/** A transaction is slower than single writes by about a factor of two (measurements, medians). */
const TRANSACTIONS = 'https://www.alexdebrie.com/posts/dynamodb-transactions-performance/'
/** "For smaller requests (less than 512 KB), median latencies are often in the tens of milliseconds." */
const S3 =
  'https://docs.aws.amazon.com/whitepapers/latest/s3-optimizing-performance-best-practices/timeouts-and-retries-for-latency-sensitive-applications.html'
/** From the sender's clock to the consumer function, P50 of a standard queue: 16.2 ms. */
const SQS = 'https://bitesizedserverless.com/bite/serverless-messaging-latency-compared/'

const median = (ms: number, _source: string): number => ms

export const MEDIANS: Latencies = {
  'store read': median(4, DYNAMODB),
  'store write': median(6, DYNAMODB),
  'store transaction': median(12, TRANSACTIONS),
  'object get': median(25, S3),
  'object put': median(40, S3),
  'object list': median(50, S3),
  // The source measures send and delivery together; half of it is counted as each.
  'queue send': median(8, SQS),
  'queue delivery': median(8, SQS),
}
