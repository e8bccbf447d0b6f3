/** Returns the message of an error; errors of D1 and R2 can be classified only by their text. */

export const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : ''

/**
 * Reports whether the error means that a statement can never succeed: a missing table, or a value
 * of the wrong type.
 */
export const isOurs = (message: string): boolean =>
  /no such (table|column)|syntax error|D1_TYPE_ERROR|SQLITE_(TOOBIG|MISMATCH|CONSTRAINT)/.test(
    message,
  )

/** R2 error codes: internal error, no such bucket, unavailable, and too many requests. */
const TROUBLE =
  /D1_ERROR|network connection lost|internal error|overloaded|\(10(001|006|043|058)\)/i

/**
 * Reports whether the service or the connection to it failed, as opposed to a request that can
 * never succeed.
 */
export function isTrouble(error: unknown): boolean {
  const message = messageOf(error)
  return TROUBLE.test(message) && !isOurs(message)
}
