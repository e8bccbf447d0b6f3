/**
 * Classifies an error of AWS: its meaning for the write to DynamoDB that met it, and for the
 * service.
 */

/**
 * `refused`: a condition failed. `busy`: it did not happen; a retry may succeed. `unsure`: the
 * outcome is unknown. `broken`: the request is invalid, which is thrown.
 */
export type Verdict = 'refused' | 'busy' | 'unsure' | 'broken'

interface AwsError {
  readonly name?: string
  readonly $fault?: 'client' | 'server'
  readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number }
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

const BUSY: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingError',
  'ThrottlingException',
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ReplicatedWriteConflictException',
])

export function verdict(error: unknown): Verdict {
  const { name = '', $fault, CancellationReasons } = error as AwsError
  if (name === 'ConditionalCheckFailedException') return 'refused'
  if (name === 'TransactionCanceledException') {
    const codes = (CancellationReasons ?? []).map(({ Code = '' }) => Code)
    if (codes.includes('ConditionalCheckFailed')) return 'refused'
    return codes.some((code) => BUSY.has(code)) ? 'busy' : 'broken'
  }
  if (BUSY.has(name)) return 'busy'
  return $fault === 'client' ? 'broken' : 'unsure'
}

export const NO_BUCKET = 'NoSuchBucket'

/**
 * Trouble of the service or on the way to it, as against a request that can never succeed. What the
 * client has sent bears `$metadata`; without a status no answer came. A bucket that vanished may
 * come back; a wrong name is met at the start.
 */
export function isTrouble(error: unknown): boolean {
  const { name = '', $metadata } = error as AwsError
  if ($metadata === undefined) return false
  const status = $metadata.httpStatusCode
  if (name === NO_BUCKET) return true
  return status === undefined || status >= 500 || status === 429 || BUSY.has(name)
}

/** True when the client sent the request more than once: a refusal may be of our own write. */
export const wasRepeated = (error: unknown): boolean =>
  ((error as AwsError).$metadata?.attempts ?? 1) > 1
