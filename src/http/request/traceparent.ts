/** Reads the `traceparent` header of requests that start runs or other work. */

import * as z from 'zod'

export const Traceparent = z
  .string()
  .optional()
  .describe(
    'W3C Trace Context; the run becomes part of this trace. An invalid value is ignored, ' +
      'and `tracestate` is not propagated',
  )
