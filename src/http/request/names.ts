/** Names of headers and rejections with which a route declares its responses. */

import type { PROBLEMS, ProblemCode } from '../../core/problem.ts'

export const ANSWER_HEADERS = {
  'X-Request-Id': 'ID of the request, also included in the server log and in problem responses',
  'Retry-After': 'Number of seconds after which the request can be retried',
  RateLimit:
    'Remaining quota for the key and its tenant, and the number of seconds until the ' +
    'quota is fully replenished (draft-ietf-httpapi-ratelimit-headers-10, September 2025)',
  'RateLimit-Policy':
    'Rate limits: tokens in a full bucket, and the number of seconds to refill the bucket',
  'WWW-Authenticate': 'Authentication scheme to use, with 401',
  Allow: 'Allowed methods, with 405',
  Location: 'URL of the created resource',
  'Set-Cookie': 'Browser session cookie; an empty value removes the cookie',
  ETag: 'Version of the resource, for `If-Match` and `If-None-Match`',
  'Idempotency-Replayed':
    'Whether the response repeats an earlier response to the same key, always `true`',
  'Preference-Applied': 'Preference that was applied, as `wait=N`',
  'Strata-Text-Range':
    'Range of the returned bytes: `bytes <first>-<last>/<size>`, or `bytes */<size>` at ' +
    'the end of the text',
  'Strata-Text-Next': 'Value of `from` for the next page of the text; absent on the last page',
  'Strata-Ignored': 'Request members and items that were ignored, separated by commas',
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
