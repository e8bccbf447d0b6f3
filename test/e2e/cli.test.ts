/** The command line as a person types it, each command a process of its own. */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../examples/demo/process.ts'
import { createRun, MAIN, sharedServer, startServer, temporaryFolder } from '../support/server.ts'

const server = sharedServer()

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

function strata(args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

const asked = (...args: string[]): Promise<Said> =>
  strata(args, { STRATA_URL: server().url, STRATA_API_KEY: server().key })

/** A layer in a folder: one agent that is right, one that is not. */
async function layer(): Promise<string> {
  const folder = await temporaryFolder()
  const agents = join(folder, '.agents/agents')
  await mkdir(agents, { recursive: true })
  const good = '---\nname: helper\ndescription: Helps.\ntools: []\n---\nYou help.\n'
  await writeFile(join(agents, 'helper.md'), good)
  await writeFile(join(agents, 'broken.md'), '---\nname: broken\n---\nNo description.\n')
  await writeFile(join(folder, 'read me ä.txt'), 'text')
  return folder
}

describe('strata push', () => {
  it('uploads every file of a folder, hidden ones too, below the prefix', async () => {
    const said = await asked('push', await layer(), 'repos/pushed/')
    expect(said).toEqual({ code: 0, out: 'pushed 3 files to repos/pushed/\n', err: '' })
    const { data } = await server().get<{ data: { path: string }[] }>(
      '/v1/files?prefix=repos/pushed/',
    )
    expect(data.map(({ path }) => path)).toEqual([
      'repos/pushed/.agents/agents/broken.md',
      'repos/pushed/.agents/agents/helper.md',
      'repos/pushed/read me ä.txt',
    ])
  })
  it('fails with a sentence without a key, with a wrong one, and without a server', async () => {
    const folder = await layer()
    const none = await strata(['push', folder, 'x'], { STRATA_URL: server().url })
    expect(none.code).toBe(1)
    expect(none.err).toMatch(/^strata: set STRATA_API_KEY/)
    const env = { STRATA_URL: server().url, STRATA_API_KEY: 'wrong' }
    const wrong = await strata(['push', folder, 'x'], env)
    expect(wrong).toMatchObject({ code: 1, err: 'strata: 401: The API key is not valid.\n' })
    const url = `http://127.0.0.1:${await freePort()}`
    const gone = await strata(['push', folder, 'x'], { STRATA_URL: url, STRATA_API_KEY: 'x' })
    expect(gone.code).toBe(1)
    expect(gone.err).toMatch(`strata: no server answers at ${url} (connect ECONNREFUSED`)
  })
})

describe('strata run and tail', () => {
  it('run starts a run with its agent and repository and follows it to the answer', async () => {
    await asked('push', await layer(), 'repos/mine')
    const args = ['run', '--agent', 'helper', '--repo-dir', 'repos/mine', '@say hello']
    const { code, out } = await asked(...args)
    expect(code).toBe(0)
    const types = out.trimEnd().split('\n')
    expect(types[0]).toMatch(/ 1 run\.created helper$/)
    expect(types.at(-1)).toMatch(/ run\.completed hello$/)
  })
  it('run ends with 1 when the run fails, and when it is refused', async () => {
    const failed = await asked('run', '@fail 400')
    expect(failed.code).toBe(1)
    expect(failed.out).toMatch(/run\.failed/)
    const refused = await asked('run', '--agent', 'ghost', 'x')
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/^strata: 422: There is no agent "ghost"\. Available: .*general/)
  })
  it('tail shows a run from its first event, again after its end', async () => {
    const { id } = await createRun(server(), { input: '@slow 200\n@say late' })
    const live = await asked('tail', id)
    expect(live.code).toBe(0)
    expect(live.out).toMatch(/ 1 run\.created[\s\S]* run\.completed late\n$/)
    expect(await asked('tail', id)).toEqual(live)
    const none = await asked('tail', `run_${'0'.repeat(26)}`)
    expect(none).toMatchObject({ code: 1, err: 'strata: 404: There is no such run.\n' })
  })
})

describe('strata check', () => {
  it('names the broken file, the reason and what to write, and ends with 1', async () => {
    const folder = await layer()
    const said = await strata(['check', folder])
    expect(said.code).toBe(1)
    expect(said.out).toMatch(/\.agents\/agents\/broken\.md.*error.*description/)
    expect(said.out).toMatch(/3 files: 1 loaded, .* 1 rejected, 1 ignored\n$/)
    const json = await strata(['check', folder, '--json'])
    const records = json.out.trimEnd().split('\n')
    expect(records.map((line) => (JSON.parse(line) as { status: string }).status).sort()).toEqual([
      'ignored',
      'loaded',
      'rejected',
    ])
  })
})

describe('strata serve', () => {
  it('exits with a sentence when another process holds the data folder', async () => {
    const first = await startServer()
    const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: first.dataDir }
    const second = await strata(['serve'], env)
    expect(second.code).toBe(1)
    expect(second.err).toMatch(/^strata: .* is in use by another process.*\n$/)
    expect((await first.ask('/v1/runs')).status).toBe(200)
  })
  it('exits with a sentence for a setting that is not what it must be', async () => {
    const said = await strata(['serve'], { PORT: 'many' })
    expect(said).toMatchObject({ code: 1, out: '' })
    expect(said.err).toBe('strata: PORT must be a whole number from 0 to 65535, not many\n')
  })
  it('exits with a sentence when the port is taken', async () => {
    const { port } = new URL(server().url)
    const said = await strata(['serve'], { PORT: port, DATA_DIR: await temporaryFolder() })
    expect(said.code).toBe(1)
    expect(said.err).toMatch(/^strata: .*EADDRINUSE.*\n$/)
  })
  it('says that it has no model, and ends on SIGTERM with 0', async () => {
    const bare = await startServer()
    await bare.process.line(/No model is configured: set .*Until then runs are refused\./)
    const { child } = bare.process
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('strata', () => {
  it('shows how it is used: 0 when asked, 2 for what it does not know', async () => {
    const help = await strata(['--help'])
    expect(help.code).toBe(0)
    expect(help.out).toMatch(/^usage: strata/)
    expect((await strata(['dance'])).code).toBe(2)
    const option = await strata(['check', '.', '--dance'])
    expect(option.code).not.toBe(0)
    expect(option.err).toMatch(/^strata: .*--dance/)
  })
})
