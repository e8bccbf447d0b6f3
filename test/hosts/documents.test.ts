/** Documents that were made to do harm, in processes beside the server: each ends alone. */

import { expect, it } from 'vitest'
import { spawnedHands } from '../../src/hosts/hands/processes.ts'
import { encode } from '../../src/lib/bytes.ts'

const { documents } = spawnedHands()
const { signal } = new AbortController()
const read = (text: string, type = 'text/html') =>
  documents.read({ bytes: encode(text), type, url: 'https://a.example/b/' }, signal)

it.each([
  ['a million elements', '<p>a <b>b</b>'.repeat(700_000), 'text/html'],
  ['a million levels', '<div>'.repeat(1_500_000), 'text/html'],
])(
  '%s take a sentence, and nobody else’s memory',
  async (_, bomb, type) => {
    const before = process.memoryUsage().rss
    const [answer, other] = await Promise.all([read(bomb, type), read('<p>good</p>')])
    if (!answer.ok) expect(answer.error).toMatch(/more memory than|took longer than/)
    expect(other).toMatchObject({ ok: true, value: { markdown: 'good' } })
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576)
  },
  120_000,
)

it.each([
  ['%PDF-1.7\nnothing that a PDF file has', 'application/pdf', 'no PDF file could be read'],
  ['\u0000\u0001', 'application/octet-stream', 'cannot be read as text'],
  ['GIF89a', 'image/gif', 'a document of the type image/gif cannot be read as text'],
])('%j is said to be no document', async (text, type, sentence) => {
  expect(await read(text, type)).toMatchObject({
    ok: false,
    error: expect.stringContaining(sentence),
  })
})

it('a page without tags, an empty one and broken JSON are read as far as they go', async () => {
  expect(await read('just text')).toMatchObject({ ok: true, value: { markdown: 'just text' } })
  expect(await read('')).toMatchObject({ ok: true, value: { markdown: '' } })
  expect(await read('{"a":', 'application/json')).toMatchObject({
    ok: true,
    value: { markdown: '{"a":', notes: ['It says that it is JSON, and it is not.'] },
  })
})

it('scripts, handlers and addresses that are none are left out', async () => {
  const page = `<h1>Hi</h1><script>steal()</script><p onclick="steal()">${'text '.repeat(60)}
    <a href="javascript:steal()">click</a> <a href="../c?d#e">next</a></p>`
  const answer = await read(page)
  if (!answer.ok) throw new Error(answer.error)
  expect(answer.value.markdown).not.toMatch(/steal|javascript/)
  expect(answer.value.links).toEqual([{ text: 'next', url: 'https://a.example/c?d#e' }])
})

it('a call that is aborted ends its process', async () => {
  const stop = new AbortController()
  const asked = documents.read(
    { bytes: encode('<div>'.repeat(900_000)), type: 'text/html' },
    stop.signal,
  )
  stop.abort()
  expect(await asked).toEqual({ ok: false, error: 'the call was aborted' })
})
