/** Refusals on the wire, checked for what every one of them must be. */

import { expect } from 'vitest'
import type { RawAnswer } from './raw.ts'

export interface Problem {
  readonly code: string
  readonly detail: string
  readonly available?: readonly string[]
  readonly errors?: readonly { readonly pointer: string }[]
}

/** The problem in the answer, after checking that it is one. */
export async function problem(response: Response, status: number): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = (await response.json()) as Problem
  expect({ ...body, status: response.status }).toMatchObject({ status })
  expect(body).toMatchObject({
    type: `urn:strata:problem:${body.code}`,
    status,
    request_id: response.headers.get('x-request-id'),
  })
  return body
}

export function rawProblem(answer: RawAnswer, status: number): Problem {
  expect(answer.status, answer.body).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  return JSON.parse(answer.body) as Problem
}

export const pointers = ({ errors = [] }: Problem): string[] => errors.map(({ pointer }) => pointer)
