/** Classifies errors of D1 and R2 by their text: there is nothing else to go by. */

export const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : ''

/** Statements that can never succeed: a missing table, a value of the wrong type. */
export const isOurs = (message: string): boolean =>
  /no such (table|column)|syntax error|D1_TYPE_ERROR|SQLITE_(TOOBIG|MISMATCH|CONSTRAINT)/.test(
    message,
  )

/**
 * Internal errors, no bucket of this name, not available, too many requests: by the numbers that R2
 * puts in parentheses.
 */
const TROUBLE =
  /D1_ERROR|network connection lost|internal error|overloaded|\(10(001|006|043|058)\)/i

/** Trouble of the service or on the way to it, as against a request that can never succeed. */
export function isTrouble(error: unknown): boolean {
  const message = messageOf(error)
  return TROUBLE.test(message) && !isOurs(message)
}
