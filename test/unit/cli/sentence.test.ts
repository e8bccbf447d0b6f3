import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sentenceOf } from '../../../src/cli/api.ts'
import { ProblemError } from '../../../src/client/index.ts'

const thrown = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('a command-line error', () => {
  it.each([
    ['a fault of the program', () => (undefined as never as { secret: string }).secret],
    ['a text that is no JSON', () => JSON.parse('leaked-words')],
    ['an argument that Node refuses', () => readFileSync(7.5 as never)],
    ['no error at all', () => 'leaked-words'],
  ])('that is %s becomes a code and a sentence, without its text', (_, act) => {
    const error = thrown(act)
    const sentence =
      'internal: the command failed because of a bug; set STRATA_DEBUG=1 to print the stack trace'
    expect(sentenceOf(error)).toBe(sentence)
    if (error instanceof Error) {
      expect(sentenceOf(error, { STRATA_DEBUG: '1' })).toContain(error.message)
    }
  })

  it('of the system names the path in plain words', () => {
    expect(sentenceOf(thrown(() => readFileSync('/no/such.md')))).toBe(
      '/no/such.md: no such file or folder (ENOENT)',
    )
    expect(sentenceOf(thrown(() => readFileSync('/')))).toBe(
      'expected a file, found a folder (EISDIR)',
    )
  })

  it('of the server names its code and its request', () => {
    const body = {
      code: 'internal',
      detail: 'The request failed; the log has the cause under its request ID.',
    }
    const headers = { 'x-request-id': 'req_1' }
    const error = new ProblemError(
      new Response(null, { status: 500, headers }),
      JSON.stringify(body),
    )
    expect(sentenceOf(error)).toBe(
      '500: The request failed; the log has the cause under its request ID. (internal, request req_1)',
    )
  })

  it('of a refused request lists each fault once', () => {
    const errors = [
      { pointer: '/repo_dir', message: 'repo_dir app/ does not exist' },
      { pointer: '/role', message: 'no such role' },
    ]
    const body = { code: 'not_found', detail: 'repo_dir app/ does not exist.', errors }
    const error = new ProblemError(new Response(null, { status: 422 }), JSON.stringify(body))
    expect(error.message).toBe('422: repo_dir app/ does not exist. /role: no such role')
  })

  it('of this program stays unchanged', () => {
    expect(sentenceOf(new Error('set STRATA_API_KEY'))).toBe('set STRATA_API_KEY')
  })
})
