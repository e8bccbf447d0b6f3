/** Changes of the contract, and which of them break programs that were written before. */

import { describe, expect, it } from 'vitest'
import { contractChanges } from '../../../tools/contract-changes.ts'

interface Shape {
  readonly request?: object
  readonly answer?: object
  readonly parameters?: readonly object[]
  readonly path?: string
  readonly refusals?: object
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const document = ({
  request = {},
  answer = {},
  parameters = [],
  path = '/v1/runs',
  refusals = { 404: {} },
}: Shape) => ({
  paths: {
    [path]: {
      post: {
        parameters,
        requestBody: json(request),
        responses: { 200: json(answer), ...refusals },
      },
    },
  },
  components: {
    schemas: {
      Run: { type: 'object', properties: { id: {}, up: { $ref: '#/components/schemas/Run' } } },
    },
  },
})
const object = (properties: object, required: readonly string[] = []) => ({
  ...{ type: 'object', properties, required },
})
const between = (before: Shape, after: Shape): string[] =>
  contractChanges(document(before), document(after)).map(
    ({ weight, place, says }) => `${weight}: ${place.replace('POST /v1/runs ', '')} ${says}`,
  )

describe('a contract change', () => {
  it('is not reported when nothing has changed, even when schemas refer to themselves', () => {
    const same = { answer: { $ref: '#/components/schemas/Run' } }
    expect(between(same, same)).toEqual([])
  })

  it('is not reported when the members of a schema are split into several parts', () => {
    const allOf = [object({ a: { type: 'string' } }, ['a']), object({ b: {} })]
    const whole = { answer: object({ a: { type: 'string' }, b: {} }, ['a']) }
    expect(between(whole, { answer: { allOf } })).toEqual([])
    expect(between({ answer: { allOf } }, whole)).toEqual([])
  })

  it.each<[string, Shape, Shape, string[]]>([
    [
      'an operation that is gone',
      {},
      { path: '/v2' },
      ['breaking: POST /v1/runs is gone', 'compatible: POST /v2 is new'],
    ],
    [
      'a member that must be sent',
      { request: object({ a: {} }) },
      { request: object({ a: {}, b: {} }, ['b']) },
      ['breaking: request/b is new'],
    ],
    [
      'a member that may be sent',
      { request: object({ a: {} }) },
      { request: object({ a: {}, b: {} }) },
      ['compatible: request/b is new'],
    ],
    [
      'a member that is taken no more',
      { request: object({ a: {}, b: {} }) },
      { request: object({ a: {} }) },
      ['breaking: request/b is taken no more'],
    ],
    [
      'a bound that is narrower',
      { request: { maximum: 10 } },
      { request: { maximum: 5 } },
      ['breaking: request maximum 10 is now 5'],
    ],
    [
      'a bound that is wider',
      { request: { minimum: 10 } },
      { request: { minimum: 5 } },
      ['compatible: request minimum 10 is now 5'],
    ],
    [
      'a member of an answer that is gone',
      { answer: object({ a: {}, b: {} }) },
      { answer: object({ a: {} }) },
      ['breaking: 200/b is gone'],
    ],
    [
      'a member of an answer that may be absent',
      { answer: object({ a: {} }, ['a']) },
      { answer: object({ a: {} }) },
      ['breaking: 200/a may be absent'],
    ],
    [
      'a member of a part that is gone',
      { answer: object({ a: {}, b: {} }) },
      { answer: { allOf: [object({ a: {} })] } },
      ['breaking: 200/b is gone'],
    ],
    [
      'an answer of another type',
      { answer: { type: 'string' } },
      { answer: { type: ['string', 'null'] } },
      ['breaking: 200 type null is new'],
    ],
    [
      'a new value of an answer',
      { answer: { enum: ['a'] } },
      { answer: { enum: ['a', 'b'] } },
      ['compatible: 200 value b is new'],
    ],
    [
      'a value that is taken no more',
      { request: { enum: ['a', 'b'] } },
      { request: { enum: ['a'] } },
      ['breaking: request value b is gone'],
    ],
    [
      'a refusal that `default` covers',
      { refusals: { 400: {}, 404: {}, '4XX': {} } },
      { refusals: { 404: {}, default: {} } },
      ['compatible: 400, 4XX stands in `default` now'],
    ],
    [
      'a refusal that nothing covers',
      {},
      { refusals: {} },
      ['compatible: 404 is answered no more'],
    ],
    [
      'a new parameter',
      {},
      { parameters: [{ in: 'query', name: 'q' }] },
      ['compatible: query q is new'],
    ],
    [
      'a new parameter that is required',
      {},
      { parameters: [{ in: 'query', name: 'q', required: true }] },
      ['breaking: query q is new'],
    ],
  ])('%s', (_, before, after, says) => {
    expect(between(before, after)).toEqual(says)
  })
})
