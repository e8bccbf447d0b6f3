/** Message for the model after a call that was sent but whose result did not arrive. */

export const MAY_HAVE_HAPPENED =
  'The call was sent and may have been carried out: find that out before you make it again.'

export const REPEATABLE = 'The call can be repeated: it changes nothing, or nothing twice.'
