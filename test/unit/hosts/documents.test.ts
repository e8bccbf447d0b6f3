/** Documents that were made to do harm, in processes beside the server: each ends alone. */

import { expect, it } from 'vitest'
import { LIMITS } from '../../../src/core/limits.ts'
import { isolatedTools } from '../../../src/hosts/sandbox/processes.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { fullOr } from '../../support/full.ts'
import { measured } from '../../support/measured.ts'

const { documents } = isolatedTools()
const { signal } = new AbortController()
const documentOf = (text: string, type: string) => ({
  bytes: encode(text),
  type,
  url: 'https://a.example/b/',
})
const read = (text: string, type = 'text/html') => documents.read(documentOf(text, type), signal)

const TOO_MUCH = /memory limit|took longer than/
/** A nested page takes all the time that a document has: the gate gives it less. */
const DOCUMENT_MS = fullOr(LIMITS.document_seconds * 1_000, 1_500)

it.each([
  ['a million elements', '<p>a <b>b</b>'.repeat(700_000), documents],
  ['a million levels', '<div>'.repeat(1_500_000), isolatedTools(DOCUMENT_MS).documents],
])(
  '%s end alone with an explanation, and use no memory of other documents',
  async (_, bomb, own) => {
    await measured(
      'a bomb beside a document',
      async () => {
        const [answer, other] = await Promise.all([
          own.read(documentOf(bomb, 'text/html'), signal),
          read('<p>good</p>'),
        ])
        expect(answer).toEqual({ ok: false, error: expect.stringMatching(TOO_MUCH) })
        expect(other).toMatchObject({ ok: true, value: { markdown: 'good' } })
      },
      { megabytes: 400 },
    )
  },
)

it.each([
  ['%PDF-1.7\nnothing that a PDF file has', 'application/pdf', 'no PDF file could be read'],
  ['\u0000\u0001', 'application/octet-stream', 'cannot be read as text'],
  ['GIF89a', 'image/gif', 'a document of type image/gif cannot be read as text'],
])('%j is reported as not a document', async (text, type, sentence) => {
  expect(await read(text, type)).toMatchObject({
    ok: false,
    error: expect.stringContaining(sentence),
  })
})

it('a page without tags, an empty one, and broken JSON are read as far as possible', async () => {
  expect(await read('just text')).toMatchObject({ ok: true, value: { markdown: 'just text' } })
  expect(await read('')).toMatchObject({ ok: true, value: { markdown: '' } })
  expect(await read('{"a":', 'application/json')).toMatchObject({
    ok: true,
    value: { markdown: '{"a":', notes: ['It is declared as JSON but is not valid JSON.'] },
  })
})

it('scripts, handlers, and invalid URLs are left out', async () => {
  const page = `<h1>Hi</h1><script>steal()</script><p onclick="steal()">${'text '.repeat(60)}
    <a href="javascript:steal()">click</a> <a href="../c?d#e">next</a></p>`
  const answer = await read(page)
  if (!answer.ok) throw new Error(answer.error)
  expect(answer.value.markdown).not.toMatch(/steal|javascript/)
  expect(answer.value.links).toEqual([{ text: 'next', url: 'https://a.example/c?d#e' }])
})

it('an aborted conversion ends its process', async () => {
  const stop = new AbortController()
  const asked = documents.read(
    { bytes: encode('<div>'.repeat(900_000)), type: 'text/html' },
    stop.signal,
  )
  stop.abort()
  expect(await asked).toEqual({ ok: false, error: 'the call was aborted' })
})
