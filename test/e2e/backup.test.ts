/**
 * A data folder is copied while its server works; the copy is shown beside the original by a paused
 * server, which starts nothing, and continues when the original is gone.
 */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startNode } from '../../examples/demo/process.ts'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { clientOf } from '../support/launch.ts'
import { startModelServer } from '../support/model-server.ts'
import { startNodeApi } from '../support/node-api.ts'
import { until } from '../support/patience.ts'
import {
  createRun,
  eventPages,
  MAIN,
  type RunShown,
  runToEnd,
  type Server,
  startServer,
  temporaryFolder,
  transcript,
  untilEnd,
} from '../support/server.ts'

interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

const strata = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<Result>((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env } }
    execFile(process.execPath, [MAIN, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err: err.trim() })
    })
  })

const backup = (data: string, destination: string): Promise<Result> =>
  strata(['backup', destination, '--data', data])

interface Listed {
  readonly data: readonly RunShown[]
  readonly next_cursor: string | null
}

async function allRuns(server: Server): Promise<readonly RunShown[]> {
  const all: RunShown[] = []
  for (let cursor = ''; ; ) {
    const page = await server.get<Listed>(`/v1/runs?limit=100${cursor}`)
    all.push(...page.data)
    if (page.next_cursor === null) return all
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

/** Whether the run of the schedule has ended. */
const hasFired = async (server: Server): Promise<boolean> =>
  (await allRuns(server)).some(({ output }) => output?.text === 'due')

const WRITE = '@call file_write {"path":"a.txt","content":"approved"}\n@say written'
/** A text that lies in the bucket, not in the log. */
const LARGE = 'x'.repeat(40_000)
/** Later than the copy, on a machine that is not too busy; what is expected holds in any case. */
const DUE_MS = 20_000

/** A server with a run that waits for a person and an endpoint. */
async function busyServer(origin: string, modelUrl: string) {
  const server = await startServer({ env: { OPENAI_BASE_URL: modelUrl } })
  const put = (path: string, json: object, headers: Record<string, string> = {}) =>
    server.get(path, { method: 'PUT', headers, json })
  await put('/v1/policy', { approvals: { file_write: 'ask' } }, { 'if-match': '"0"' })
  await server.ask('/v1/files/base/AGENTS.md', { method: 'PUT', body: 'Be brief.' })
  const events = ['run.completed', 'approval.requested']
  const endpoint = { url: `${origin}/hook`, events }
  await server.get('/v1/webhook-endpoints', { method: 'POST', json: endpoint })
  const waiting = await createRun(server, { input: WRITE })
  await until('the approval', async () => (await approvals(server))[0])
  return { server, waiting }
}

interface Asked {
  readonly id: string
  readonly args_hash: string
}

const approvals = async (server: Server): Promise<readonly Asked[]> =>
  (await server.get<{ data: Asked[] }>('/v1/approvals')).data

/** What clients see of everything that a paused server must leave as it is. */
async function shown(server: Server): Promise<unknown> {
  const runs = await allRuns(server)
  const paths = ['sessions', 'schedules', 'webhook-deliveries', 'fanouts', 'files?prefix=base/']
  return {
    runs,
    logs: await Promise.all(runs.map(({ id }) => eventPages(server, id))),
    lists: await Promise.all(paths.map((path) => server.get(`/v1/${path}`))),
    file: await (await server.ask('/v1/files/base/AGENTS.md')).text(),
  }
}

describe('strata backup of a running server', () => {
  it('copies a state that a paused server shows without starting work, and a later server continues', async () => {
    const posts: string[] = []
    const receiver = await startCannedServer(({ body }, response) => {
      posts.push(body)
      response.writeHead(200).end()
    })
    cleanup.push(receiver.close)
    const [model, silent] = await Promise.all([startModelServer(), startModelServer()])
    cleanup.push(model.close, silent.close)
    const { server, waiting } = await busyServer(receiver.origin, model.url)
    const tasks = Array.from({ length: 30 }, (_, i) => ({ task: `@slow 200\n@say ${i}` }))
    await server.get('/v1/fanouts', { method: 'POST', json: { tasks } })
    let isOver = false
    const load = Promise.all(
      Array.from({ length: 4 }, async (_, worker) => {
        for (let count = 0; !isOver; count += 1) {
          const { id } = await runToEnd(server, { input: `@say ${LARGE} ${worker}` })
          if (count % 2 === 0) await server.ask(`/v1/runs/${id}`, { method: 'DELETE' })
        }
      }),
    )
    const data = join(await temporaryFolder(), 'copy')
    const dueAt = Date.now() + DUE_MS
    const once = { at: new Date(dueAt).toISOString(), input: '@say due' }
    await server.get('/v1/schedules/once', { method: 'PUT', json: once })
    const made = await backup(server.dataDir, data)
    isOver = true
    await load
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(/^Backed up .*: database \([\d.]+ [KM]iB\), \d+ files \(/)
    expect(made.out).toContain('The copy contains master.key')

    const before = { dataDir: data, key: server.key }
    const paused = await startServer({
      before,
      env: { OPENAI_BASE_URL: silent.url, STRATA_PAUSED: 'true' },
    })
    const first = await shown(paused)
    for (const run of await allRuns(paused)) await transcript(paused, run.id)
    expect(await eventPages(paused, waiting.id)).toEqual(await eventPages(server, waiting.id))
    expect(await paused.get(`/v1/sessions/${waiting.session_id}`)).toEqual(
      await server.get(`/v1/sessions/${waiting.session_id}`),
    )
    // The original ends what it has, so that what is posted later is the copy's.
    const runs = await allRuns(server)
    for (const { id } of runs.filter(({ id }) => id !== waiting.id)) await untilEnd(server, id)
    await until('the time of the schedule', () => Date.now() > dueAt + 1_000)
    await until('the run of the schedule', () => hasFired(server))
    await server.process.stop()
    const postsBefore = posts.length
    const [approval] = await approvals(paused)
    const refusals = await Promise.all([
      paused.ask('/v1/runs', { method: 'POST', json: { input: '@say no' } }),
      paused.ask(`/v1/approvals/${approval!.id}/decision`, {
        method: 'POST',
        json: { decision: 'approve' },
      }),
      paused.ask(`/v1/runs/${waiting.id}`, { method: 'DELETE' }),
      paused.ask('/v1/files/base/AGENTS.md', { method: 'PUT', body: 'Be long.' }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect(await refusals[0]!.json()).toMatchObject({
      code: 'unavailable',
      detail: expect.stringContaining('This server is paused'),
    })
    expect(await shown(paused)).toEqual(first)
    expect([silent.requests.length, posts.length]).toEqual([0, postsBefore])
    expect(paused.process.output()).toContain('Paused: the server serves data')

    await paused.process.stop()
    const again = await startServer({ before, env: { OPENAI_BASE_URL: model.url } })
    await again.get(`/v1/approvals/${approval!.id}/decision`, {
      method: 'POST',
      json: { decision: 'approve', args_hash: approval!.args_hash },
    })
    expect(await untilEnd(again, waiting.id)).toMatchObject({ output: { text: 'written' } })
    for (const { id } of await allRuns(again))
      expect(await untilEnd(again, id)).toMatchObject({ status: 'completed' })
    await until('the run of the schedule', () => hasFired(again))
    await until('its webhook', () => posts.slice(postsBefore).join().includes(waiting.id))
  })

  it('leaves no target folder when it is killed', async () => {
    const server = await startServer()
    const objects = join(server.dataDir, 'objects/default/files/base')
    mkdirSync(objects, { recursive: true })
    for (let i = 0; i < 3_000; i += 1) writeFileSync(join(objects, `${i}.md`), 'text')
    const parent = await temporaryFolder()
    const data = join(parent, 'copy')
    const child = spawn(process.execPath, [MAIN, 'backup', data, '--data', server.dataDir])
    const partial = await until('files in it', () => {
      const found = readdirSync(parent).find((name) => name.startsWith('copy.partial-'))
      return found && existsSync(join(parent, found, 'objects/default/files/base')) && found
    })
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    expect(readdirSync(parent)).toEqual([partial])
    expect(await backup(server.dataDir, data)).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(join(data, 'objects/default/files/base'))).toHaveLength(3_000)
  })
})

it('strata serve --paused reports the pause at start-up and in its refusals', async () => {
  const before = await startServer()
  await before.process.stop()
  const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: before.dataDir }
  const started = startNode([MAIN, 'serve', '--paused'], { env })
  cleanup.push(() => started.stop())
  const [, url = ''] = await started.line(/listens on (\S+)\s/)
  await started.line(/^Paused: the server serves data but starts no work\./m)
  const { ask } = clientOf(url, before.key)
  expect((await ask('/v1/runs')).status).toBe(200)
  expect((await ask('/readyz')).status).toBe(200)
  expect((await ask('/v1/sign-in-links', { method: 'POST', json: {} })).status).toBe(201)
  const made = await ask('/v1/runs', { method: 'POST', json: { input: 'Hello.' } })
  expect([made.status, made.headers.get('retry-after')]).toEqual([503, '60'])
  expect(
    (await ask('/v1/runs', { method: 'POST', headers: { authorization: 'none' } })).status,
  ).toBe(401)
})

it.each([
  ['a server', 'false', 1],
  ['a paused server', 'true', 0],
])('%s with STRATA_PAUSED=%s sends %i requests to other hosts', async (_, paused, count) => {
  let asked = 0
  const receiver = await startCannedServer((_request, response) => {
    asked += 1
    response.writeHead(204).end()
  })
  cleanup.push(receiver.close)
  const { host } = await startNodeApi({ STRATA_PAUSED: paused })
  const request = {
    method: 'POST',
    url: `${receiver.origin}/hook`,
    headers: {},
    body: '{}',
  } as const
  const sent = await host.world.web.send({ ...request, timeoutMs: 60_000, maxBytes: 1_000 })
  expect(sent.ok).toBe(count === 1)
  expect(asked).toBe(count)
})

describe('strata backup', () => {
  it('copies the data of a stopped server into an empty folder', async () => {
    const server = await startServer()
    await server.ask('/v1/files/base/AGENTS.md', { method: 'PUT', body: 'Be brief.' })
    await server.process.stop()
    const data = join(await temporaryFolder(), 'copy')
    mkdirSync(data)
    // What the shell names holds as for `serve`, and the key may lie elsewhere.
    rmSync(join(server.dataDir, 'master.key'))
    const made = await strata(['backup', data], { DATA_DIR: server.dataDir })
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toContain('Not copied: STRATA_MASTER_KEY')
    expect(readdirSync(data).sort()).toEqual(['at-work', 'objects', 'strata.db'])
  })

  it('reports a full disk and leaves nothing behind', async () => {
    const server = await startServer()
    const large = 'x'.repeat(900_000)
    await server.ask('/v1/files/base/large.md', { method: 'PUT', body: large })
    const parent = await temporaryFolder()
    const command = `ulimit -f 500; exec "$0" ${MAIN} backup "${parent}/copy" --data "${server.dataDir}"`
    const child = spawn('bash', ['-c', command, process.execPath])
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const [code] = await once(child, 'close')
    expect(said).toMatch(/The backup to \S+ failed: EFBIG.*The partial backup was removed\.$/m)
    expect([code, readdirSync(parent)]).toEqual([1, []])
  })

  it('reports what is wrong with the folders and leaves nothing behind', async () => {
    const server = await startServer()
    const parent = await temporaryFolder()
    const refused = async (data: string, destination: string): Promise<string> => {
      const { code, out, err } = await backup(data, destination)
      expect([code, out]).toEqual([1, ''])
      return err
    }
    const full = join(parent, 'full')
    mkdirSync(join(full, 'x'), { recursive: true })
    writeFileSync(join(parent, 'file'), '')
    expect(await refused(parent, join(parent, 'a'))).toContain('does not contain strata.db')
    expect(await refused(server.dataDir, full)).toContain('is not empty')
    expect(await refused(server.dataDir, join(parent, 'file'))).toContain('is not an empty folder')
    expect(await refused(server.dataDir, join(parent, 'no/a'))).toContain('does not exist')
    expect(await refused(server.dataDir, join(server.dataDir, 'a'))).toContain(
      'outside the data folder',
    )
    expect(readdirSync(parent).sort()).toEqual(['file', 'full'])
    expect((await strata(['backup', full], { STORE: 'dynamodb' })).err).toContain('infra/aws.md')
    expect((await strata(['backup'])).code).toBe(2)
  })
})
