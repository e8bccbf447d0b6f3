/** Pictures and files that a run is given, through the running server to the model's wire. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startEverything } from '../support/everything.ts'
import { startNodeApi } from '../support/node-api.ts'
import { ask, eventsOf, putFile, runToEnd } from '../support/node-client.ts'
import { until } from '../support/patience.ts'
import { dataUrl, GIF, PNG, WAV } from '../support/pictures.ts'
import { PDF } from '../support/site.ts'

const seeing = (...input: ('text' | 'image' | 'pdf' | 'audio')[]) => ({
  models: { 'openai/scripted': { input } },
})
const base64 = (bytes: Buffer) => bytes.toString('base64')
const picture = (name = 'red.png') => ({ type: 'image', data: base64(PNG), name })

/** What the model was sent as the user's last message. */
// biome-ignore lint/suspicious/noExplicitAny: the wire format of a vendor
const lastSent = (api: { model: { requests: readonly { body: any }[] } }): any =>
  api.model.requests
    .at(-1)!
    .body.messages.filter(({ role }: { role: string }) => role === 'user')
    .at(-1)

it('a run receives pictures by base64, by key, and by address, in order', async () => {
  const api = await startNodeApi({}, seeing('text', 'image'))
  const site = await startCannedServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(GIF)
  })
  cleanup.push(site.close)
  await putBytes(api, 'repos/app/chart.png', PNG)
  await putFile(api, 'repos/app/notes.md', '# Otters')
  const run = await runToEnd(api, {
    input: [
      { type: 'text', text: 'Compare these.' },
      picture(),
      { type: 'image', key: 'repos/app/chart.png' },
      { type: 'text', text: 'And this:' },
      { type: 'image', url: `${site.origin}/a/dot.gif?x=1` },
      { type: 'file', key: 'repos/app/notes.md' },
    ],
  })
  expect(run).toMatchObject({ status: 'completed' })
  const text = [
    'Compare these.',
    `[image "red.png", image/png, ${PNG.length} bytes]`,
    `[image "chart.png", image/png, ${PNG.length} bytes]`,
    'And this:',
    `[image "dot.gif", image/gif, ${GIF.length} bytes]`,
    '[file "notes.md", 8 bytes:]\n# Otters\n[The end of this file "notes.md".]',
  ].join('\n')
  expect(lastSent(api).content).toEqual([
    { type: 'text', text },
    { type: 'image_url', image_url: { url: dataUrl(PNG) } },
    { type: 'image_url', image_url: { url: dataUrl(PNG) } },
    { type: 'image_url', image_url: { url: dataUrl(GIF, 'image/gif') } },
  ])
  const { body } = await ask(api, 'GET', `/v1/runs/${run.id}/transcript`)
  const [said] = body.data
  expect(said.text).toBe(text)
  expect(
    said.media.map(({ name, bytes }: { name: string; bytes: number }) => [name, bytes]),
  ).toEqual([
    ['red.png', PNG.length],
    ['chart.png', PNG.length],
    ['dot.gif', GIF.length],
  ])
  const shown = await fetch(`${api.url}/v1/runs/${run.id}/media/${said.media[2].digest}`, {
    headers: { authorization: `Bearer ${api.key}` },
  })
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(GIF)
  expect(shown.headers.get('content-type')).toBe('image/gif')
  const [created] = await eventsOf(api, run.id)
  expect(JSON.stringify(created)).not.toContain(base64(PNG))
})

it('a model without picture support gets a note in their place, and the caller a warning', async () => {
  const api = await startNodeApi({}, seeing('text'))
  const run = await runToEnd(api, { input: [{ type: 'text', text: 'Look.' }, picture()] })
  expect(run).toMatchObject({ status: 'completed' })
  expect(run.warnings).toEqual([
    {
      code: 'media_not_taken',
      message: 'the model openai/scripted does not support images',
      hint: 'Choose a model that supports images',
    },
  ])
  const mark = `[image "red.png", image/png, ${PNG.length} bytes]`
  expect(JSON.stringify(lastSent(api).content)).not.toContain('image_url')
  expect(sentText(lastSent(api))).toBe(
    `Look.\n${mark}\n[${mark} is not shown: the model openai/scripted does not support images]`,
  )
})

it('a model without a declared input causes a warning', async () => {
  const api = await startNodeApi()
  const run = await runToEnd(api, { input: [picture(), { type: 'text', text: 'Look.' }] })
  expect(run.warnings).toEqual([
    {
      code: 'media_not_taken',
      message: 'whether the model openai/scripted supports images is unknown',
      hint: 'List the supported inputs in `input` of the model in STRATA_PROVIDERS',
    },
  ])
})

it('a PDF file is sent as a file to a model that accepts PDF, and as text to any other', async () => {
  const file = { type: 'file', data: base64(PDF), name: 'paper.pdf' }
  const taking = await startNodeApi({}, seeing('text', 'pdf'))
  await runToEnd(taking, { input: [file] })
  expect(JSON.stringify(lastSent(taking).content)).toContain(base64(PDF))
  const reading = await startNodeApi({}, seeing('text'))
  const run = await runToEnd(reading, { input: [file] })
  expect(sentText(lastSent(reading))).toContain('Paws of otters')
  expect(run.warnings).toMatchObject([
    { message: expect.stringContaining('receives the extracted text') },
  ])
})

it('audio is sent to a model that accepts audio', async () => {
  const api = await startNodeApi({}, seeing('text', 'audio'))
  await runToEnd(api, { input: [{ type: 'file', data: base64(WAV), name: 'a.wav' }] })
  expect(lastSent(api).content[1]).toEqual({
    type: 'input_audio',
    input_audio: { data: base64(WAV), format: 'wav' },
  })
})

it('an unreadable part is refused with its pointer, and nothing is created', async () => {
  const api = await startNodeApi({}, seeing('text', 'image'))
  const site = await startCannedServer((request, response) => {
    if (request.url === '/gone') response.writeHead(404).end()
    else if (request.url === '/inside') {
      response.writeHead(302, { location: 'https://10.0.0.1/secret' }).end()
    } else response.writeHead(200).end(Buffer.alloc(6_000_000, 1))
  })
  cleanup.push(site.close)
  await putFile(api, 'base/.mcp.json', '{"secret":"x"}')
  const wrong = [
    [{ type: 'image', data: base64(Buffer.from('no picture')) }, '', 'unsupported image type'],
    [{ type: 'image', data: base64(PDF) }, '', 'unsupported image type'],
    [{ type: 'file', data: base64(Buffer.from([0, 1, 2, 255])) }, '', 'unsupported type'],
    [{ type: 'image', data: 'a$b=' }, '/data', 'not valid base64'],
    [{ type: 'image', key: 'repos/none.png' }, '/key', 'file not found'],
    [{ type: 'file', key: 'base/.mcp.json' }, '/key', 'is a configuration path'],
    [{ type: 'file', key: '../../other/files/x' }, '/key', 'invalid_path'],
    [{ type: 'image', url: `${site.origin}/gone` }, '/url', 'the server responded with 404'],
    [{ type: 'image', url: `${site.origin}/inside` }, '/url', 'redirect to https://10.0.0.1/'],
    [{ type: 'image', url: `${site.origin}/large` }, '/url', 'larger than 5242880 bytes'],
    [{ type: 'image', url: 'https://169.254.169.254/x.png' }, '/url', ''],
    [{ type: 'image', url: 'file:///etc/passwd' }, '/url', ''],
  ] as const
  for (const [part, member, message] of wrong) {
    const { status, body } = await ask(api, 'POST', '/v1/runs', { input: [part] })
    expect([status, body.errors[0].pointer]).toEqual([422, `/input/0${member}`])
    expect(body.errors[0].message).toContain(message)
  }
  const both = { type: 'image', data: base64(PNG), key: 'a.png' }
  expect((await ask(api, 'POST', '/v1/runs', { input: [both] })).status).toBe(422)
  const many = Array.from({ length: 21 }, () => picture())
  const { body } = await ask(api, 'POST', '/v1/runs', { input: many })
  expect(body.errors[0]).toMatchObject({ pointer: '/input/20' })
  expect((await ask(api, 'GET', '/v1/runs')).body.data).toEqual([])
})

it('messages, session turns, and fan-out tasks also carry pictures', async () => {
  const api = await startNodeApi({}, seeing('text', 'image'))
  const first = await runToEnd(api, {
    input: [{ type: 'text', text: 'Remember this.\n@say done' }, picture()],
  })
  const second = await runToEnd(api, { input: 'What was it?', session_id: first.session_id })
  expect(second).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(api.model.requests.at(-1)!.body)).toContain(dataUrl(PNG))
  expect((await ask(api, 'DELETE', `/v1/runs/${first.id}`)).status).toBeLessThan(300)
  const third = await runToEnd(api, { input: 'And now?', session_id: first.session_id })
  expect(third).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(api.model.requests.at(-1)!.body)).toContain(dataUrl(PNG))

  const waits = await ask(api, 'POST', '/v1/runs', {
    input: '@call ask_user {"questions":[{"question":"Which?"}]}\n@then\n@say {last}',
  })
  await untilRun(api, waits.body.id, ({ status }) => status === 'waiting')
  const key = { 'idempotency-key': 'a-message-with-a-picture' }
  const content = [{ type: 'text', text: 'This one:' }, picture('it.png')]
  const path = `/v1/runs/${waits.body.id}/messages`
  const sent = await ask(api, 'POST', path, { content }, key)
  expect(sent.status).toBe(202)
  expect((await ask(api, 'POST', path, { content }, key)).body).toEqual(sent.body)
  await untilRun(api, waits.body.id, ({ status }) => status === 'completed')
  expect(JSON.stringify(api.model.requests.at(-1)!.body)).toContain(dataUrl(PNG))

  const before = api.model.requests.length
  const made = await ask(api, 'POST', '/v1/fanouts', {
    tasks: [{ task: [{ type: 'text', text: 'One' }, picture()] }, { task: 'Two' }],
    then: {
      input: [
        { type: 'text', text: 'All:' },
        { type: 'image', data: base64(GIF) },
      ],
    },
  })
  expect(made.status).toBe(202)
  await untilAt(api, `/v1/fanouts/${made.body.id}`, ({ status }) => status === 'completed')
  const sentNow = api.model.requests.slice(before).map(({ body }) => JSON.stringify(body))
  expect(sentNow.filter((one) => one.includes(dataUrl(PNG)))).toHaveLength(1)
  expect(sentNow.filter((one) => one.includes(dataUrl(GIF, 'image/gif')))).toHaveLength(1)
})

it('a picture from a file or an MCP server reaches the model, or a note explains why not', async () => {
  const server = await startEverything('streamableHttp')
  cleanup.push(server.close)
  const input =
    '@call file_read {"path":"a.png"}\n@then\n@call mcp__e__get-tiny-image {}\n@then\n@say done'
  const e = { url: server.url, bearer_token_env_var: 'EVERYTHING_TOKEN' }
  const given = { input, repo_dir: 'repos/app', mcp_servers: { e } }
  const token = { STRATA_SECRETS: 'EVERYTHING_TOKEN', EVERYTHING_TOKEN: 'a-token-of-some-length' }
  const sees = await startNodeApi(token, seeing('text', 'image'))
  await putBytes(sees, 'repos/app/a.png', PNG)
  const run = await runToEnd(sees, given)
  expect(run).toMatchObject({ status: 'completed' })
  const { body } = await ask(sees, 'GET', `/v1/runs/${run.id}/transcript`)
  const [read, tiny] = body.data.flatMap(({ results = [] }: Shown) => results)
  expect(read.text).toBe(`[image "a.png", image/png, ${PNG.length} bytes]`)
  expect(tiny.text).toMatch(/\[image, image\/png, \d+ bytes\]/)
  const { messages } = sees.model.requests.at(-1)!.body as Shown
  const shown = messages.filter(
    ({ role, content }: Shown) => role === 'user' && Array.isArray(content),
  )
  expect(shown.map(({ content }: Shown) => content.map(({ type }: Shown) => type))).toEqual([
    ['text', 'image_url'],
    ['text', 'image_url'],
  ])
  expect(shown[0].content[0].text).toBe('[Result of file_read:]')
  expect(shown[0].content[1].image_url.url).toBe(dataUrl(PNG))

  const blind = await startNodeApi(token, seeing('text'))
  await putBytes(blind, 'repos/app/a.png', PNG)
  const told = await runToEnd(blind, given)
  expect(told.warnings).toContainEqual(expect.objectContaining({ code: 'media_not_taken' }))
  const last = JSON.stringify(blind.model.requests.at(-1)!.body)
  expect(last).not.toContain('image_url')
  expect(last).toContain('is not shown: the model openai/scripted does not support images')
})

// biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
type Shown = any
async function putBytes({ url, key }: Api, path: string, body: Buffer<ArrayBuffer>): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' }
  const { status } = await fetch(`${url}/v1/files/${path}`, { method: 'PUT', headers, body })
  expect(status).toBe(201)
}
const sentText = ({ content }: Shown): string =>
  typeof content === 'string' ? content : content[0].text

type Api = Awaited<ReturnType<typeof startNodeApi>>
const untilRun = (api: Api, id: string, is: (run: Shown) => boolean) =>
  untilAt(api, `/v1/runs/${id}`, is)
const untilAt = (api: Api, path: string, is: (shown: Shown) => boolean): Promise<true> =>
  until(path, async () => is((await ask(api, 'GET', path)).body))
