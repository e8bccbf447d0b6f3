/** The request that created a run, as `GET /v1/runs/{id}/input` returns it to send it again. */

import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BodyRef } from '../../../../src/core/message.ts'
import { childId } from '../../../../src/core/run/decide/child.ts'
import type { RunSpec } from '../../../../src/core/run/log/spec.ts'
import { dispatch } from '../../../../src/engine/dispatch.ts'
import { homeOf } from '../../../../src/engine/partition/home.ts'
import { tombstone } from '../../../../src/engine/run/effects/child/tombstone.ts'
import { rebuildMessages } from '../../../../src/engine/run/rebuild-messages.ts'
import { rebuildRequest } from '../../../../src/engine/run/rebuild-request.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { memoryObjects } from '../../../../src/hosts/memory/objects.ts'
import { sha256 } from '../../../../src/lib/digest.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import { setPolicy } from '../../../support/approvals.ts'
import { look, putFiles, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent } from '../../../support/layers.ts'
import { minutes } from '../../../support/patience.ts'
import { GIF, PNG } from '../../../support/pictures.ts'
import { spawn } from '../../../support/script.ts'

/** Any address may receive webhooks. */
const OPEN = {
  check: () => undefined,
  send: async () => ok({ status: 200, headers: {}, body: '' }),
}

let api: TestApi
beforeEach(async () => {
  api = await testApi({ settings: { spillBytes: 320, maxDepth: 2 }, web: OPEN })
})

const create = async (json: object): Promise<string> => {
  const { status, body, text } = await api.call('POST', '/v1/runs', { json })
  if (status !== 202) throw new Error(`${status} ${text} ${JSON.stringify(json)}`)
  return body.id
}
const read = async (id: string) => {
  const { status, body } = await api.call('GET', `/v1/runs/${id}/input`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ run_id: id, object: 'run.input' })
  return body
}
const specOf = async (id: string): Promise<RunSpec> => (await look(api.world, id)).state.spec!

/** Stores text files and images of the given sizes, and returns the parts of an input. */
async function putSized(texts: readonly number[], images: readonly number[]) {
  const put = async (name: string, data: Uint8Array) => {
    await api.world.objects.put(`${TENANT}/files/repos/app/${name}`, data, 'any')
    return { type: 'file', key: `repos/app/${name}` }
  }
  return Promise.all([
    ...texts.map((size, index) => put(`${index}.txt`, Buffer.alloc(size, 't'))),
    ...images.map((size, index) => put(`${index}.png`, Buffer.concat([PNG, Buffer.alloc(size)]))),
  ])
}

/** A spec without the members that differ between equal requests. */
const comparable = ({ id, root_run_id, session_id, turn, warnings, ...spec }: RunSpec) => {
  const { start_at: _, expires_at: __, ...settings } = spec
  return { ...settings, session: turn === null ? undefined : session_id }
}

/** Sends the request of a run again, and compares both runs. */
async function sendsAgain(json: object) {
  const id = await create(json)
  const { request, omitted } = await read(id)
  const copy = await create(request)
  expect(comparable(await specOf(copy))).toEqual(comparable(await specOf(id)))
  expect((await read(copy)).request).toEqual(request)
  return { request, omitted }
}

const FILES = {
  'base/.agents/agents/scout.md': agent('You look.', 'scout'),
  'repos/app/a.txt': 'the file',
  'roles/support/.agents/agents/scout.md': agent('You look.', 'scout'),
}
const MARK = `[image, image/png, ${PNG.length} bytes]`
const BLOCK = '[file, 1 bytes:]\nx\n[The end of this file.]'
const WEBHOOK: object = { url: 'https://receiver.example/strata' }
const PARAMETERS = { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] }

describe('the request of a run', () => {
  it('200 has only the input if the request had only that', async () => {
    const { request, omitted } = await sendsAgain({ input: '@say x' })
    expect({ request, omitted }).toEqual({ request: { input: '@say x' }, omitted: [] })
  })

  it('200 has each member of the request', async () => {
    await putFiles(api.world, FILES)
    const given = {
      input: '@say x',
      context: 'Known:\nTask: none',
      agent: 'scout',
      label: 'A label',
      role: 'support',
      repo_dir: 'repos/app',
      model_settings: { temperature: 0.5 },
      tools: ['file_read'],
      disallowed_tools: ['web_*'],
      strict: true,
      on_duplicate: 'reject',
      functions: [
        { name: 'stock', description: 'Items', parameters: PARAMETERS },
        { name: 'plain' },
      ],
      join: { policy: 'any', deadline_seconds: 5, on_child_failure: 'fail', cancel_rest: false },
      limits: { max_steps: 3, timeout_seconds: 9.5, max_children: 0, max_tokens: 1_000 },
      webhook: { ...WEBHOOK, events: ['run.failed'], format: 'cloudevents' },
      output_schema: { type: 'object' },
      output_schema_required: true,
      approvals: { expires_seconds: 60, on_expiry: 'approve', unattended: false },
      metadata: { ticket: '7' },
      start_at: '2027-01-15T08:05:00.000Z',
      expires_in: 77,
      priority: 4,
    }
    expect(await sendsAgain(given)).toEqual({ request: given, omitted: [] })
  })

  it('has the time to wait for a start, although the run was stored later', async () => {
    const id = await create({ input: 'x', expires_in: 60 })
    const { state } = await look(api.world, id)
    const later = { ...state, created_at: state.created_at + 7 }
    const { request } = await rebuildRequest(api.world, TENANT, later)
    expect(request).toEqual({ input: 'x', expires_in: 60 })
  })

  it('202 creates an equal run for any request', { timeout: minutes(2) }, async () => {
    await putFiles(api.world, FILES)
    const session = (await api.call('POST', '/v1/sessions', { json: { agent: 'scout' } })).body.id
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
    const oneOf = <T>(...values: readonly T[]) => maybe(fc.constantFrom(...values))
    const word = fc.constantFrom(
      '@say x',
      'Task:',
      'Context:',
      '',
      'é🦦',
      MARK,
      BLOCK,
      '\\Task:',
      'y',
    )
    const text = fc
      .array(word, { minLength: 1, maxLength: 6 })
      .map((words) => words.join('\n'))
      .filter((value) => value.trim() !== '')
    const data = fc.constantFrom(PNG, GIF, Buffer.from('a text\nfile'), Buffer.from('éx'))
    const file = fc.record(
      {
        type: fc.constant('file'),
        data: data.map((bytes) => bytes.toString('base64')),
        name: fc.constantFrom('a.png', 'a "b".txt', 'é\u202e.md'),
      },
      { requiredKeys: ['type', 'data'] },
    )
    const content = fc.oneof(
      text,
      fc.array(
        fc.oneof(
          text.map((value) => ({ type: 'text', text: value })),
          file,
        ),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
    )
    const messages = fc
      .array(fc.record({ role: fc.constantFrom('user', 'assistant'), content }), { maxLength: 3 })
      .chain((first) => content.map((last) => [...first, { role: 'user', content: last }]))
    const input = fc.oneof(
      fc.record({ input: content, context: maybe(text) }),
      fc.record({ input: messages }),
    )
    const limits = fc.record(
      {
        max_steps: fc.integer({ min: 1, max: 9 }),
        max_children: fc.constantFrom(0, 5, 1_000),
        model_patience_seconds: fc.constantFrom(0, 60),
      },
      { requiredKeys: [] },
    )
    const settings = fc.record({
      agent: oneOf('general', 'scout', 'General'),
      label: oneOf('', 'A label'),
      role: oneOf('support', ' Support '),
      repo_dir: oneOf('repos/app', 'repos/app/'),
      strict: oneOf(true, false),
      on_duplicate: oneOf('shadow', 'reject'),
      disallowed_tools: oneOf([], ['web_*']),
      functions: oneOf([], [{ name: 'stock', parameters: PARAMETERS }, { name: 'plain' }]),
      join: oneOf({}, { policy: 'any' }, { policy: { quorum: 2 } }),
      limits: maybe(limits),
      webhook: oneOf(WEBHOOK, { ...WEBHOOK, events: ['run.failed'], format: 'standard' }),
      output_schema: oneOf(PARAMETERS),
      approvals: oneOf({}, { expires_seconds: 60 }),
      metadata: oneOf({}, { ticket: '7' }),
      priority: oneOf(0, 3),
      session_id: oneOf(session),
    })
    await fc.assert(
      fc.asyncProperty(input, settings, async (what, how) => {
        const json = JSON.parse(JSON.stringify({ ...what, ...how }))
        expect((await sendsAgain(json)).omitted).toEqual([])
      }),
    )
  })
})

describe('the omitted members', () => {
  it('200 names each secret, and contains none', async () => {
    const desk = {
      url: 'https://desk.example/mcp',
      http_headers: { 'X-Key': 'hush-1', 'X-Other': 'hush-2' },
    }
    const local = { command: 'x', args: ['-u', 'http://a:hush-3@b'], env: { TOKEN: 'hush-4' } }
    const id = await create({
      input: '@say x',
      mcp_servers: { desk, local },
      webhook: { ...WEBHOOK, secret: `whsec_${Buffer.from('hush'.repeat(8)).toString('base64')}` },
    })
    const { request, omitted } = await read(id)
    expect(request).toEqual({
      input: '@say x',
      mcp_servers: {
        desk: { url: 'https://desk.example/mcp' },
        local: { command: 'x', args: ['-u', 'http://b'] },
      },
      webhook: WEBHOOK,
    })
    expect(omitted).toEqual(
      [
        '/webhook/secret',
        '/mcp_servers/desk/http_headers/X-Key',
        '/mcp_servers/desk/http_headers/X-Other',
        '/mcp_servers/local/args/1',
        '/mcp_servers/local/env/TOKEN',
      ].map((pointer) => ({ pointer, reason: 'secret' })),
    )
    await create(request)
  })

  it('200 names a setting of another protocol', async () => {
    const { body } = await api.call('POST', '/v1/responses', {
      json: { model: 'agent/general', input: 'x', instructions: 'Be short.' },
    })
    const [run] = (await api.call('GET', '/v1/runs')).body.data
    expect(body.object).toBe('response')
    const { request, omitted } = await read(run.id)
    expect(request.input).toBe('x')
    expect(omitted).toEqual([{ pointer: '/instructions', reason: 'unsupported' }])
    await create(request)
  })

  it('200 names a file that exceeds a request body, with its digest', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(3_000_000)])
    const put = (path: string, body: Uint8Array) =>
      api.world.objects.put(`${TENANT}/files/repos/app/${path}`, body, 'any')
    await Promise.all([put('large.png', large), put('small.png', PNG)])
    const part = (key: string) => ({ type: 'image', key: `repos/app/${key}.png` })
    const id = await create({ input: [part('large'), part('large'), part('small')] })
    const { request, omitted } = await read(id)
    expect(
      request.input.map(({ type, name }: { type: string; name: string }) => [type, name]),
    ).toEqual([
      ['image', 'large.png'],
      ['text', undefined],
      ['image', 'small.png'],
    ])
    expect(omitted).toEqual([{ pointer: '/input', reason: 'too_large', digest: sha256(large) }])
    expect(request.input[1].text).toContain('large.png')
    await create(request)
  })

  it.each([
    ['a large image and a text file have room', { text: [150_000], images: [3_790_000] }, 'text'],
    ['only one of two large images has room', { text: [90_000], images: [3e6, 3e6] }, 'file'],
    ['two text files remain text', { text: [160_000, 40_000], images: [3_780_000] }, 'text'],
  ])('202 if %s', async (_, { text, images }, type) => {
    const keys = await putSized(text, images)
    const { request, omitted } = await read(await create({ input: keys }))
    const [first, second] = request.input
    expect([first.type, second.type]).toEqual([type, 'image'])
    const excess = images.slice(1).map(() => ({ pointer: '/input', reason: 'too_large' }))
    expect(omitted).toMatchObject(excess)
    await create(request)
  })

  it.each([
    ['the text of a request body', 270_000, 3_700_000, [0, 1]],
    ['the room that an image leaves', 200_000, 3_790_000, [1, 0]],
  ])('200 names a text file that exceeds %s', async (_, text, image, order) => {
    const parts = await putSized([text], [image])
    const { request, omitted } = await read(
      await create({ input: order.map((index) => parts[index]) }),
    )
    const [file, picture] = order.map((index) => request.input[index])
    expect(file.text).toContain('t'.repeat(text))
    expect(picture.type).toBe('image')
    expect(omitted).toEqual([{ pointer: '/input', reason: 'too_large' }])
    expect((await api.call('POST', '/v1/runs', { json: request })).status).toBe(413)
  })

  it('200 names a text and a file that are no longer stored', async () => {
    const id = await create({ input: [{ type: 'file', data: PNG.toString('base64') }] })
    const { input } = await specOf(id)
    const home = homeOf(TENANT, id)
    const digests = { text: (input[0]!.text as BodyRef).digest, file: sha256(PNG) }
    const objects = memoryObjects()
    await objects.put(`${home}${digests.text}`, Buffer.from(MARK), 'any')
    const world = { ...api.world, objects }
    const missing = (digest: string) => ({ pointer: '/input', reason: 'not_stored', digest })
    expect(await rebuildMessages(world, home, input, 1_000)).toEqual({
      input: MARK,
      omitted: [missing(digests.file)],
    })
    await objects.delete(`${home}${digests.text}`, 'any')
    const { omitted } = await rebuildMessages(
      { ...world, objects: memoryObjects() },
      home,
      input,
      1_000,
    )
    expect(omitted).toContainEqual(missing(digests.text))
  })
})

describe('a long input', () => {
  it('200 is complete', async () => {
    const input = `@say ${'é🦦'.repeat(20_000)}`
    expect((await sendsAgain({ input })).request).toEqual({ input })
  })

  it('202 is accepted again if it contains a large text file', async () => {
    const text = `${'e'.repeat(300_000)}\n`
    await putFiles(api.world, { 'repos/app/long.txt': text })
    const { request } = await sendsAgain({
      input: [
        { type: 'text', text: 'Read:' },
        { type: 'file', key: 'repos/app/long.txt' },
      ],
    })
    const data = Buffer.from(text).toString('base64')
    expect(request.input[1]).toEqual({ type: 'file', data, name: 'long.txt' })
  })
})

describe('a run that another request or run started', () => {
  it('200 has the session if the request named one', async () => {
    const first = await create({ input: '@say one' })
    await api.settle()
    const { session_id } = await specOf(first)
    const { request } = await sendsAgain({ input: '@say two', session_id })
    const settings = { agent: 'general', session_id, on_busy: 'enqueue' }
    expect(request).toEqual({ input: '@say two', ...settings })
  })

  it('202 never answers an open question of the session', async () => {
    const first = await create({ input: '@say one' })
    await api.settle()
    const { session_id } = await specOf(first)
    const asking = await create({ input: '@call ask_user {"question":"Which?"}', session_id })
    await api.settle()
    const { request } = await read(asking)
    expect(await create(request)).not.toBe(asking)
    await api.settle()
    const { body } = await api.call('GET', `/v1/runs/${asking}`)
    expect(body).toMatchObject({ status: 'waiting', waiting_on: 'input' })
  })

  it('200 names the input of a subagent that never started', async () => {
    const id = await create({ input: `${spawn({ task: '@say part' })}\n@await\n@say x` })
    const [wake] = api.world.queue.take()
    await dispatch(api.world, wake!)
    const { state } = await look(api.world, id)
    const [call] = state.calls.values()
    const other = { ...call!, index: 1 }
    await tombstone({ world: api.world, tenant: TENANT, state }, other, 'refused')
    const { request, omitted } = await read(childId(state.spec!, other))
    expect(request.input).toBe('')
    expect(omitted).toContainEqual({ pointer: '/input', reason: 'not_stored' })
  })

  it('200 has the settings that differ from the policy', async () => {
    const [loose, strict] = [
      await create({ input: 'x' }),
      await create({ input: 'x', strict: true }),
    ]
    expect((await read(strict)).request).toEqual({ input: 'x', strict: true })
    await setPolicy(api.world, { strict: true })
    expect((await read(strict)).request).toEqual({ input: 'x' })
    expect((await read(loose)).request).toEqual({ input: 'x', strict: false })
  })

  it('200 is the task of a subagent, without what its parent handed down', async () => {
    const id = await create({
      input: `${spawn({ task: '@say child', context: 'Known.' })}\n@await\n@say x`,
    })
    await api.settle()
    const [child] = (await api.call('GET', `/v1/runs/${id}/children`)).body.data
    const { request, omitted } = await read(child.id)
    expect(request).toMatchObject({ input: '@say child', context: 'Known.' })
    expect(omitted).toEqual([{ pointer: '/model', reason: 'inherited' }])
    await create(request)
  })

  it('200 is the task of a fan-out, and its closing run has two messages', async () => {
    const { body } = await api.call('POST', '/v1/fanouts', {
      json: { tasks: [{ task: '@say x', label: 'one' }], then: { input: '@say closed' } },
    })
    await api.settle()
    const { data } = (await api.call('GET', `/v1/fanouts/${body.id}/tasks`)).body
    const fanout = (await api.call('GET', `/v1/fanouts/${body.id}`)).body
    const task = await read(data[0].run_id)
    expect(task).toMatchObject({ request: { input: '@say x', label: 'one' }, omitted: [] })
    await create(task.request)
    const closing = await read(fanout.closing_run_id)
    expect(closing.request.input).toHaveLength(2)
    await create(closing.request)
  })

  it('200 is the rendered input of a hook, with its files', async () => {
    const hook = await api.call('POST', '/v1/hooks', {
      json: { scheme: 'standard', template: 'Look: {{title}}', media: ['photo'] },
    })
    const body = JSON.stringify({ title: 'Red', photo: PNG.toString('base64') })
    const at = api.world.clock.now()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at / 1_000)),
      'webhook-signature': new Webhook(hook.body.secret).sign('msg_1', new Date(at), body),
    }
    const sent = { body, headers, key: null }
    const received = await api.call('POST', `/v1/hooks/${hook.body.id}`, sent)
    const { request, omitted } = await read(received.body.run_id)
    const [text, photo] = request.input
    expect(text.text).toContain('Look: ')
    expect(photo).toEqual({ type: 'image', data: PNG.toString('base64') })
    expect([request.metadata, omitted]).toEqual([{ hook_id: hook.body.id }, []])
    await create(request)
  })

  it('200 is the input of a schedule', async () => {
    await api.call('PUT', '/v1/schedules/night', {
      json: { input: '@say night', cron: '0 * * * *', agent: 'explore' },
    })
    await api.call('POST', '/v1/schedules/night/run')
    await api.settle()
    const [fire] = (await api.call('GET', '/v1/schedules/night/runs')).body.data
    const { request } = await read(fire.run_id)
    expect(request).toMatchObject({ input: '@say night', agent: 'explore' })
    await create(request)
  })

  it('200 for a token of the run, and 404 for another run', async () => {
    const [id, other] = [await create({ input: 'one' }), await create({ input: 'two' })]
    const json = { for: { run: id }, scopes: ['runs:read'] }
    const { token: key } = (await api.call('POST', '/v1/tokens', { json })).body
    const statusOf = async (run: string) =>
      (await api.call('GET', `/v1/runs/${run}/input`, { key })).status
    expect([await statusOf(id), await statusOf(other)]).toEqual([200, 404])
  })

  it('404 for an unknown run, and 403 without the scope', async () => {
    const path = `/v1/runs/run_${'0'.repeat(26)}/input`
    expect((await api.call('GET', path)).status).toBe(404)
    const { key } = await createKey(api.world, TENANT, ['runs:write'])
    expect((await api.call('GET', path, { key })).status).toBe(403)
  })
})
