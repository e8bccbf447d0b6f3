/** The `traceparent` header of requests that start something. */

import * as z from 'zod'

export const Traceparent = z
  .string()
  .optional()
  .describe(
    'W3C Trace Context: the run is part of that trace. One that is not valid is passed over; ' +
      '`tracestate` is not carried',
  )
