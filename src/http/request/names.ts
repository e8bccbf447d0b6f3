/** Names of headers and refusals that a route uses to declare its answers. */

import type { PROBLEMS, ProblemCode } from '../../core/problem.ts'

export const ANSWER_HEADERS = {
  'X-Request-Id': 'Names this request in our log; problems hold it too',
  'Retry-After': 'Seconds after which the same request may succeed',
  RateLimit:
    'What is left of the limits of the key and of its tenant, and the seconds until all of it is ' +
    'back (draft-ietf-httpapi-ratelimit-headers-10, September 2025)',
  'RateLimit-Policy': 'These limits: tokens of a full bucket, and the seconds in which it fills',
  'WWW-Authenticate': 'With 401: which scheme is wanted',
  Allow: 'With 405: the methods that there are',
  Location: 'Where the thing that was made can be looked at',
  'Set-Cookie': 'The cookie of the browser session; an empty one removes it',
  ETag: 'For `If-Match` and `If-None-Match`',
  'Idempotency-Replayed': '`true` when an earlier request with this key had done it',
  'Preference-Applied': 'The wait that counted',
  'Strata-Text-Range':
    'Which bytes of a text these are: `bytes <first>-<last>/<all>`, `bytes */<all>` at its end',
  'Strata-Text-Next': 'The `from` of the next page of the text; absent: this is the last one',
  'Strata-Ignored':
    'Members and items of the request that mean nothing here and were left out, by commas',
} as const

export type AnswerHeader = keyof typeof ANSWER_HEADERS

export const REFUSAL_NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  421: 'MisdirectedRequest',
  422: 'UnprocessableContent',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
} as const satisfies Record<(typeof PROBLEMS)[ProblemCode][0], string>

export type RefusalStatus = keyof typeof REFUSAL_NAMES
