/**
 * Converts rejections for OpenAI clients: on OpenAI's paths, the problem document gets an `error`
 * member.
 */

import type { Refusal } from '../../../core/problem.ts'
import { moved } from '../../request/refusal-pointer.ts'

const PATHS = /^\/v1\/(?:responses|chat\/completions|models)(?:\/|$)/
/** Paths that return status 400 instead of 422, because OpenAI clients decide by the status. */
const STATUSED = /^\/v1\/(?:responses|chat\/completions)(?:\/|$)/

export const isOpenAi = (path: string): boolean => PATHS.test(path)

export const statusFor = (path: string, status: number): number =>
  status === 422 && STATUSED.test(path) ? 400 : status

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

export function errorOf({ code, detail, errors = [] }: Refusal, status: number) {
  const pointer = errors[0]?.pointer ?? ''
  const other = status >= 500 ? 'server_error' : 'invalid_request_error'
  const param = pointer === '' ? null : paramOf(pointer)
  return { message: detail, type: TYPES[status] ?? other, code, param }
}

/** JSON pointers to members of a run request, with the members' names in each API. */
const SHARED: readonly Renaming[] = [
  [/^\/session_id$/, '/conversation'],
  [/^\/agent$/, '/model'],
  [/^\/model_settings\//, '/'],
]
const RESPONSES: readonly Renaming[] = [
  [/^\/caller_tools(\/\d+)?/, '/tools$1'],
  [/^(\/tools\/\d+)\/input_schema/, '$1/parameters'],
  [/^\/output_schema/, '/text/format/schema'],
  ...SHARED,
  [/^\/reasoning_effort$/, '/reasoning/effort'],
]
const CHAT: readonly Renaming[] = [
  [/^\/caller_tools(\/\d+)?/, '/tools$1'],
  [/^(\/tools\/\d+)\/input_schema/, '$1/function/parameters'],
  [/^(\/tools\/\d+)\/(name|description)$/, '$1/function/$2'],
  [/^\/output_schema/, '/response_format/json_schema/schema'],
  ...SHARED,
  [/^\/max_output_tokens$/, '/max_completion_tokens'],
]
type Renaming = readonly [pattern: RegExp, by: string]

/** Converts the rejection of a run request to a rejection of the client's request on this path. */
export function inWordsOf(path: string, refusal: Refusal): Refusal {
  if (!STATUSED.test(path)) return refusal
  const renamings = path.startsWith('/v1/chat') ? CHAT : RESPONSES
  return moved(refusal, (pointer) =>
    renamings.reduce((place, [pattern, by]) => place.replace(pattern, by), pointer),
  )
}

/** Converts a JSON pointer such as `/input/0/content` to `input[0].content`. */
const paramOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`))
    .join('')
