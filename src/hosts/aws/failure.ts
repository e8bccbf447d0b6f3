/** Classifies an AWS error: its meaning for a failed DynamoDB write, and for the service. */

/**
 * Classification of a failed write. `refused`: a condition failed. `busy`: the write did not
 * happen, and a retry may succeed. `unsure`: the outcome is unknown. `broken`: the request is
 * invalid, and the error is thrown.
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
 * Reports whether the service or the connection to it failed, as opposed to a request that can
 * never succeed. Errors of sent requests have `$metadata`; without a status, no response arrived. A
 * missing bucket may return; a wrong bucket name is detected at startup.
 */
export function isTrouble(error: unknown): boolean {
  const { name = '', $metadata } = error as AwsError
  if ($metadata === undefined) return false
  const status = $metadata.httpStatusCode
  if (name === NO_BUCKET) return true
  return status === undefined || status >= 500 || status === 429 || BUSY.has(name)
}

/**
 * Reports whether the client sent the request more than once; an earlier attempt may then have
 * caused the rejection.
 */
export const wasRepeated = (error: unknown): boolean =>
  ((error as AwsError).$metadata?.attempts ?? 1) > 1
