/** Message for the model after a call that was sent but whose result did not arrive. */

export const MAY_HAVE_HAPPENED =
  'The call was sent and may have been executed; check before retrying.'

export const REPEATABLE = 'The call is read-only or idempotent; it can be retried.'
