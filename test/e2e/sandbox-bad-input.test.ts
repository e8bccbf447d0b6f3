/**
 * Bad input to every tool that reaches outside, in one conversation with the real server: each is a
 * clear error that the model reads, the run goes on, and the server's memory stays bounded.
 */

import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { allowCommands } from '../contract/host-shell.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { fullOr } from '../support/full.ts'
import { measuredProcess } from '../support/measured-process.ts'
import { startModelServer } from '../support/model-server.ts'
import { dataUrl, PNG } from '../support/pictures.ts'
import { eventPages, runToEnd, startServer } from '../support/server.ts'

const MIB = 1_048_576
const MOST_MEGABYTES = 300

/** One page whose text is a quarter of a gigabyte of letters, one drawn at a time. */
function pdfBomb(): Buffer {
  const stream = deflateSync(Buffer.alloc(256 * MIB, 'BT(x)Tj ET '), { level: 9 })
  const head =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n' +
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n' +
    `4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`
  return Buffer.concat([
    Buffer.from(head),
    stream,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ])
}

/** A page whose elements exceed the memory of a document at once. */
const pageBomb = (): Buffer => Buffer.from('<p>a <b>b</b>'.repeat(700_000))

/** The PDF file takes all the time that a document has; the gate sends the page. */
const BOMB = fullOr(
  { type: 'application/pdf', make: pdfBomb },
  { type: 'text/html', make: pageBomb },
)

async function hostileSite() {
  const bomb = BOMB.make()
  const piece = Buffer.alloc(MIB, 'x')
  const sent = { bytes: 0 }
  const site = await startCannedServer(({ url = '' }, response) => {
    if (url === '/huge') {
      // Five gigabytes, as long as anybody reads.
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': `${5_120 * MIB}` })
      const more = (): void => {
        while (!response.destroyed && sent.bytes < 5_120 * MIB) {
          sent.bytes += MIB
          if (!response.write(piece)) return void response.once('drain', more)
        }
      }
      return more()
    }
    if (url === '/bomb') {
      return void response.writeHead(200, { 'content-type': BOMB.type }).end(bomb)
    }
    if (url === '/inside') {
      return void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    }
    response.writeHead(404).end()
  })
  cleanup.push(site.close)
  return { ...site, sent }
}

const call = (tool: string, given: object): string =>
  `@call ${tool} ${JSON.stringify(given)}\n@then\n`

it('a huge page, a bomb, loops, and a private address return errors that the model reads', async () => {
  const [model, site] = [await startModelServer(), await hostileSite()]
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url, WARM_UP: 'false' } })
  await allowCommands(server)
  const shell = (command: string) => call('shell_execute', { command, timeout_seconds: 5 })
  const steps = [
    call('web_fetch', { url: `${site.origin}/huge` }),
    call('web_fetch', { url: `${site.origin}/bomb` }),
    call('web_fetch', { url: `${site.origin}/inside` }),
    shell('while true; do :; done'),
    shell(':(){ :|:& };:'),
    shell(`for i in $(seq 1 ${fullOr(100_000, 2_500)}); do echo $i > f$i; done`),
    shell('echo safe > mine.txt; rm -rf /; ls /'),
    shell('cat /etc/passwd; curl http://127.0.0.1/'),
  ]
  const { pid } = server.process
  const run = await measuredProcess(
    'a server that is given bad input',
    pid,
    () => runToEnd(server, { input: `${steps.join('')}@say done` }),
    { megabytes: MOST_MEGABYTES },
  )
  expect(run).toMatchObject({ status: 'completed', output: { text: 'done' } })
  const results = (await eventPages(server, run.id))
    .filter(({ type }) => type === 'tool.result')
    .map(({ data }) => data as unknown as { status: string; text: string | { preview: string } })
  const text = (at: number): string => {
    const { text: said } = results[at]!
    return typeof said === 'string' ? said : said.preview
  }
  // Of the five gigabytes ten megabytes are read, and what was read is said to be cut.
  expect(site.sent.bytes).toBeLessThan(200 * MIB)
  expect(text(0)).toMatch(/cut|more than|10485760|10 MB/i)
  expect(results[1]!.status).toBe('error')
  expect(text(1)).toMatch(/memory|longer than|no PDF/)
  expect(results[2]!.status).toBe('error')
  expect(text(2)).toMatch(/private|link-local|not allowed|address/i)
  for (const at of [3, 4, 5]) expect(results[at]!.status, text(at)).toBe('error')
  expect(text(7)).not.toMatch(/root:x/)
})

it('an invalid picture and an unknown provider are refused; a model without vision causes a warning', async () => {
  const model = await startModelServer()
  const server = await startServer({ env: { OPENAI_BASE_URL: model.url } })
  const refused = async (json: object) => {
    const answer = await server.ask('/v1/runs', { method: 'POST', json })
    return { status: answer.status, ...((await answer.json()) as { detail: string }) }
  }
  const image = (data: string) => [
    { type: 'text', text: 'What is it?' },
    { type: 'image', data },
  ]
  const none = await refused({ input: image(Buffer.from('no picture').toString('base64')) })
  expect([none.status, none.detail]).toEqual([422, expect.stringMatching(/image|picture/)])
  const unknown = await refused({ input: 'hi', model: 'anthropic/claude' })
  expect([unknown.status, unknown.detail]).toEqual([
    422,
    'The model "anthropic/claude" requires ANTHROPIC_API_KEY.',
  ])
  const blind = await runToEnd(server, { input: image(dataUrl(PNG).split(',')[1]!) })
  expect(blind).toMatchObject({
    status: 'completed',
    warnings: [expect.objectContaining({ code: 'media_not_taken' })],
  })
})
