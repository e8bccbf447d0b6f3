/** Refusals as OpenAI's clients read them: a member `error` of the problem, on its paths. */

import type { Refusal } from '../../../core/problem.ts'

const PATHS = /^\/v1\/(?:responses|chat\/completions|models)(?:\/|$)/
/** They decide by the status, and know 400 where we say 422. */
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

/** Members of a run's request, as they are called here. */
const OTHERWISE: Readonly<Record<string, string>> = {
  caller_tools: 'tools',
  output_schema: 'text.format.schema',
}

/** `/input/0/content` is `input[0].content`. */
const paramOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((name, index) => (index === 0 ? (OTHERWISE[name] ?? name) : name))
    .map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : index === 0 ? name : `.${name}`))
    .join('')
