/** The command line as a person types it, each command a process of its own. */

import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort, startNode } from '../../examples/demo/process.ts'
import { cleanup } from '../support/cleanup.ts'
import { until } from '../support/patience.ts'
import { PNG } from '../support/pictures.ts'
import {
  createRun,
  MAIN,
  sharedServer,
  startServer,
  temporaryFolder,
  untilEnd,
} from '../support/server.ts'

const server = sharedServer()

/** What pushes remember, away from the home of whoever runs the tests. */
const CACHE = mkdtempSync(join(tmpdir(), 'strata-cache-'))
afterAll(() => rmSync(CACHE, { recursive: true }))

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

function strata(args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MAIN, ...args],
      { env: { XDG_CACHE_HOME: CACHE, ...env } },
      (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err })
      },
    )
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
  it('uploads every file of a folder below the prefix, including hidden ones', async () => {
    const said = await asked('push', await layer(), 'repos/pushed/', '--force')
    expect(said).toEqual({
      code: 0,
      out: 'pushed 3 files to repos/pushed/\n',
      err: '.agents/agents/broken.md: error: `description` is missing or blank [description_missing]\n',
    })
    const { data } = await server().get<{ data: { path: string }[] }>(
      '/v1/files?prefix=repos/pushed/',
    )
    expect(data.map(({ path }) => path)).toEqual([
      'repos/pushed/.agents/agents/broken.md',
      'repos/pushed/.agents/agents/helper.md',
      'repos/pushed/read me ä.txt',
    ])
  })
  it('fails with a sentence for a missing key, a wrong key, and an unreachable server', async () => {
    const folder = await layer()
    const none = await strata(['push', folder, 'base'], { STRATA_URL: server().url })
    expect(none.code).toBe(1)
    expect(none.err).toMatch(/^strata: STRATA_API_KEY is not set/)
    const env = { STRATA_URL: server().url, STRATA_API_KEY: 'wrong' }
    const wrong = await strata(['push', folder, 'base'], env)
    expect(wrong).toMatchObject({ code: 1, err: 'strata: 401: Invalid API key.\n' })
    const url = `http://127.0.0.1:${await freePort()}`
    const gone = await strata(['push', folder, 'base'], { STRATA_URL: url, STRATA_API_KEY: 'x' })
    expect(gone.code).toBe(1)
    expect(gone.err).toMatch(`strata: could not reach the server at ${url} (connect ECONNREFUSED`)
  })
})

describe('strata run and tail', () => {
  it('run starts a run with its agent and repository and follows it to the answer', async () => {
    await asked('push', await layer(), 'repos/mine', '--force')
    const args = ['run', '--agent', 'helper', '--repo-dir', 'repos/mine', '@say hello']
    const { code, out } = await asked(...args)
    expect(code).toBe(0)
    const types = out.trimEnd().split('\n')
    expect(types[0]).toMatch(/^run_\w{26}$/)
    expect(types[1]).toMatch(/ 1 run\.created helper$/)
    expect(types).toContain('| hello')
    expect(types.at(-2)).toMatch(/ run\.completed hello$/)
    expect(types.filter((line) => line.includes('warning file_rejected'))).toHaveLength(1)
    expect(types.at(-1)).toBe('1 warning, above')
  })
  it('run accepts a text that starts with a dash after --, and a model by name', async () => {
    const { code, out } = await asked('run', '--', '-5 degrees?')
    expect([code, out]).toEqual([0, expect.stringContaining('ok: -5 degrees?')])
    const named = await asked('run', '--json', '--model', 'script/other', 'x')
    const { id } = JSON.parse(named.out.split('\n')[0] ?? '')
    const config = await server().get<{ model: { id: string } }>(`/v1/runs/${id}/config`)
    expect(JSON.stringify(config.model)).toContain('script/other')
  })
  it('run exits with 1 when the run fails or is refused', async () => {
    const failed = await asked('run', '@fail 400')
    expect(failed.code).toBe(1)
    expect(failed.out).toMatch(/run\.failed/)
    const refused = await asked('run', '--agent', 'ghost', 'x')
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/^strata: 422: Agent "ghost" not found\. Available: .*general/)
  })
  it('tail shows a run from its first event, including after its end', async () => {
    const { id } = await createRun(server(), { input: '@slow 200\n@say late' })
    const live = await asked('tail', id)
    expect(live.code).toBe(0)
    expect(live.out).toMatch(/ 1 run\.created[\s\S]* run\.completed late\n$/)
    // Text is shown as it comes, maybe before the log has the start of the attempt that says it.
    const parts = ({ out, ...rest }: Said) => {
      const lines = out.split('\n')
      const isText = (line: string) => line.startsWith('| ')
      return { ...rest, events: lines.filter((line) => !isText(line)), text: lines.filter(isText) }
    }
    expect(parts(live).text).toEqual(['| late'])
    expect(parts(await asked('tail', id))).toEqual(parts(live))
    const none = await asked('tail', `run_${'0'.repeat(26)}`)
    expect(none).toMatchObject({ code: 1, err: 'strata: 404: Run not found.\n' })
  })
})

describe('strata check', () => {
  it('names the broken file, the reason, and the fix, and exits with 1', async () => {
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
  it('exits with a sentence when another process uses the data folder', async () => {
    const first = await startServer()
    const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: first.dataDir }
    const second = await strata(['serve'], env)
    expect(second.code).toBe(1)
    expect(second.err).toMatch(/^strata: .* is in use by another process.*\n$/)
    expect((await first.ask('/v1/runs')).status).toBe(200)
  })
  it('exits with a sentence for an invalid setting', async () => {
    const said = await strata(['serve'], { PORT: 'many' })
    expect(said).toMatchObject({ code: 1, out: '' })
    expect(said.err).toBe('strata: PORT must be a whole number from 0 to 65535, not many\n')
  })
  it('exits with a sentence when the port is in use', async () => {
    const { port } = new URL(server().url)
    const said = await strata(['serve'], { PORT: port, DATA_DIR: await temporaryFolder() })
    expect(said.code).toBe(1)
    expect(said.err).toMatch(/^strata: .*EADDRINUSE.*\n$/)
  })
  it('reports that it has no model, and exits with 0 on SIGTERM', async () => {
    const bare = await startServer()
    await bare.process.line(/No model is configured; set .*Until then/)
    const { child } = bare.process
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
  it('exits with 0 on SIGTERM from its first printed line on', async () => {
    const env = { PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: await temporaryFolder() }
    const started = startNode([MAIN, 'serve'], { env })
    cleanup.push(() => started.stop('SIGKILL'))
    const ended = once(started.child, 'exit')
    started.child.stdout?.once('data', () => started.child.kill('SIGTERM'))
    expect(await ended).toEqual([0, null])
  })
})

describe('strata', () => {
  it('shows its usage, with exit code 0 on request and 2 for unknown input', async () => {
    const help = await strata(['--help'])
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toMatch(/^Usage: strata/)
    const none = await strata([])
    expect(none).toMatchObject({ code: 2, out: '' })
    expect(none.err).toMatch(/^Usage: strata/)
    const option = await strata(['check', '.', '--dance'])
    expect(option).toMatchObject({ code: 2, out: '' })
    expect(option.err).toMatch(/^strata: .*--dance/)
  })

  it.each([
    [['dance'], /unknown command 'dance'/],
    [['run', 'say', 'hello'], /too many arguments.* say, hello/],
    [['run', '--agnet', 'x', 'hello'], /--agnet'\s\(Did you mean --agent\?\)\n$/],
    [
      ['run', '-5 degrees?'],
      /unknown option '-5 degrees\?'; write -- before a text that begins with a dash\n$/,
    ],
    [
      ['run', '--agent', 'general', '- milk\n- eggs'],
      /write -- before a text that begins with a dash\n$/,
    ],
    [['send', 'run_1', '--what is this?'], /write -- before a text that begins with a dash\n$/],
    [['run', '--agent', '--role', 'hello'], /'--role' is invalid/],
    [['run', ''], /input is empty/],
    [['run'], /missing required argument 'input'/],
    [['serve', 'now'], /too many arguments/],
    [['tail', 'a', 'b'], /too many arguments/],
    [['runs', '--limit', '0'], /from 1 to 100/],
    [['push', '.', 'nowhere'], /nowhere\/ is not a layer/],
    [['diff', 'base', 'what'], /invalid configuration what/],
    [['approve', 'apr_1', '--arguments', '[1]'], /must be a JSON object/],
    [['completion', 'csh'], /bash, zsh, fish/],
    [['check', '/nowhere'], /not a readable folder/],
  ])(
    'exits with 2 on wrong usage, on standard error, without contacting a server: %j',
    async (args, why) => {
      const runs = () => server().get<{ data: { id: string }[] }>('/v1/runs')
      const before = await runs()
      const said = await asked(...args)
      expect(said).toMatchObject({ code: 2, out: '' })
      expect(said.err).toMatch(/^strata: /)
      expect(said.err).toMatch(why)
      expect(await runs()).toEqual(before)
    },
  )

  it.each([[['run', '--help']], [['--help', 'run']], [['run', '--agent', '--help', 'x', 'y']]])(
    'shows help for a help flag in any position and does nothing else: %j',
    async (args) => {
      const said = await asked(...args)
      expect(said).toMatchObject({ code: 0, err: '' })
      expect(said.out).toMatch(/^Usage: strata run/)
    },
  )

  it.each([[['--version']], [['serve', '--version']], [['run', 'x', '--version']]])(
    'shows the version for a version flag in any position and does nothing else: %j',
    async (args) => {
      const said = await asked(...args)
      expect(said).toMatchObject({ code: 0, err: '' })
      expect(said.out).toMatch(/^\d+\.\d+\.\d+\n$/)
    },
  )

  it('completes each command and its options, in bash as well', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { code, out } = await strata(['completion', shell])
      expect(code).toBe(0)
      for (const word of ['push', 'approve', 'dry-run', 'repo-dir']) expect(out).toContain(word)
    }
    const { out } = await strata(['completion', 'bash'])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    const lines = 'COMP_WORDS=(strata push --d); COMP_CWORD=2; _strata; echo ${COMPREPLY[@]}'
    const shell = spawnSync('bash', ['-c', `${out}\n${lines}`], { encoding: 'utf8' })
    expect(shell).toMatchObject({ status: 0, stdout: '--delete --dry-run\n', stderr: '' })
  })
})

describe('strata runs, cancel, resolve, diff', () => {
  it('list runs and cancel one, as lines and as JSON', async () => {
    const metadata = { team: 'red', ticket: 'a=b' }
    const task = { input: '@slow 60000\n@say late', label: 'slow one', metadata }
    const { id } = await createRun(server(), task)
    expect((await asked('runs', '--limit', '1')).out).toMatch(
      new RegExp(
        `^created_at +id +status +agent +label\n\\S+  ${id}  (queued|running) .*slow one\n$`,
      ),
    )
    const found = async (...by: string[]) =>
      (await asked('runs', '--json', ...by)).out
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]))
    const pairs = ['--metadata', 'team=red', '--metadata', 'ticket=a=b']
    expect(await found('--status', 'queued,running', '--label', 'slow one', ...pairs)).toEqual([id])
    expect(await found('--status', 'completed', ...pairs)).toEqual([])
    expect(await found('--metadata', 'team=blue')).toEqual([])
    expect(await found('--search', 'LATE slow', ...pairs)).toEqual([id])
    expect(await found('--search', 'late fast', ...pairs)).toEqual([])
    expect(await found('--model', 'openai/other', ...pairs)).toEqual([])
    expect(await found('--waiting-on', 'input,approval', ...pairs)).toEqual([])
    const wrong = await asked('runs', '--metadata', 'team')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('key=value')])
    const unknown = await asked('runs', '--status', 'done')
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('completed')])
    const cancelled = await asked('cancel', id, '--reason', 'enough', '--json')
    expect(JSON.parse(cancelled.out)).toMatchObject({ id })
    expect((await untilEnd(server(), id)).status).toBe('cancelled')
    const none = await asked('cancel', `run_${'0'.repeat(26)}`)
    expect(none).toMatchObject({ code: 1, out: '', err: 'strata: 404: Run not found.\n' })
  })

  it("resolve shows a run's configuration and its findings, and diff shows the differences", async () => {
    await asked('push', await layer(), 'repos/resolved', '--force')
    const resolved = await asked('resolve', '--repo-dir', 'repos/resolved')
    expect(resolved.code).toBe(0)
    expect(resolved.out).toMatch(/^kind +name +origin +reason\n/)
    expect(resolved.out).toMatch(
      /^agent +helper +repos\/resolved\/\.agents\/agents\/helper\.md +–$/m,
    )
    expect(resolved.out).toMatch(/broken\.md: error: .*description/)
    const { digest } = JSON.parse(
      (await asked('resolve', '--repo-dir', 'repos/resolved', '--json')).out,
    ) as { digest: string }
    const differ = await asked('diff', 'base', digest)
    expect(differ).toMatchObject({ code: 1, err: '' })
    expect(differ.out).toMatch(/^change +kind +id +fields\n(?:.*\n)*added +agent +helper /)
    expect(await asked('diff', 'repo=repos/resolved', 'repo=repos/resolved')).toMatchObject({
      code: 0,
      out: 'change  kind  id  fields\n',
    })
  })
})

describe('strata run', () => {
  it('reads standard input for -, and prints with --json one line for the run and for each event', async () => {
    const child = spawn(process.execPath, [MAIN, 'run', '--json', '-'], {
      env: { STRATA_URL: server().url, STRATA_API_KEY: server().key },
    })
    child.stdin.end('@say from\n@say stdin')
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    expect(await once(child, 'close')).toEqual([0, null])
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ object: 'run' })
    expect(lines[1]).toMatchObject({ type: 'run.created', seq: 1 })
    expect(lines.at(-1)).toMatchObject({ type: 'run.completed' })
  })

  it('prints the ID first and follows through a server restart, showing each event once', async () => {
    const port = String(await freePort())
    const env = { PORT: port, OPENAI_BASE_URL: server().model.url }
    const first = await startServer({ env })
    const args = [MAIN, 'run', '@slow 3000\n@say after all']
    const child = spawn(process.execPath, args, {
      env: { STRATA_URL: first.url, STRATA_API_KEY: first.key },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    await until('the first event', () => / 1 run\.created/.test(out))
    expect(out).toMatch(/^run_\w{26}\n/)
    const closed = once(child, 'close')
    await first.process.stop('SIGKILL')
    await until('another try', () => err.includes('retrying'))
    await startServer({ before: first, env })
    expect(await closed).toEqual([0, null])
    expect(out).toMatch(/^\| after all$/m)
    const seqs = [...out.matchAll(/^\d\d:\d\d:\d\d +(\d+) /gm)].map(([, seq]) => Number(seq))
    expect(seqs).toEqual(seqs.map((_, at) => at + 1))
  })

  it('lists each call that waits for approval: id, run, tool, and arguments; approve and deny decide it [AP-12]', async () => {
    const policed = await startServer({ env: { OPENAI_BASE_URL: server().model.url } })
    await policed.get('/v1/policy', {
      method: 'PUT',
      headers: { 'if-match': '"0"' },
      json: { approvals: { file_write: 'ask' } },
    })
    const env = { STRATA_URL: policed.url, STRATA_API_KEY: policed.key }
    for (const word of ['approve', 'deny']) {
      const input = '@call file_write {"path":"a.txt","content":"x"}\n@say {last}'
      const child = spawn(process.execPath, [MAIN, 'run', input], { env })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      // No terminal is there, so the command ends where a person must decide.
      expect(await once(child, 'close')).toEqual([3, null])
      const [, id = ''] =
        /file_write .* waits for approval; run strata approve (apr_\w+)/.exec(out) ?? []
      const [, run = ''] = /(run_\w{26})/.exec(out) ?? []
      const call = `${run}  file_write  {"path":"a.txt","content":"x"}`
      const [head, ...rows] = (await strata(['approvals'], env)).out.split('\n')
      expect(head).toMatch(/^id +run_id +tool +arguments$/)
      expect(rows).toEqual([`${id}  ${call}`, ''])
      const [row] = (await strata(['approvals', '--json'], env)).out.split('\n')
      expect(JSON.parse(row ?? '')).toMatchObject({ id, run_id: run, tool: 'file_write' })
      const more = word === 'deny' ? ['--reason', 'not now'] : []
      const decided = await strata([word, id, ...more], env)
      expect(decided).toMatchObject({ code: 0, err: '' })
      const followed = await strata(['tail', run], env)
      expect(followed.code).toBe(0)
      const said = /^\| (.*)$/m.exec(followed.out)?.[1]
      expect(said).toMatch(word === 'deny' ? /not now/ : /a\.txt/)
      expect((await strata(['approvals'], env)).out).toBe('id  run_id  tool  arguments\n')
      const again = await strata([word === 'deny' ? 'approve' : 'deny', id], env)
      expect(again).toMatchObject({ code: 1, out: '' })
      expect(again.err).toMatch(/^strata: 4\d\d: /)
    }
  })

  it('sends pictures and files with a text, and names a missing file', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'red.png'), PNG)
    await writeFile(join(folder, 'notes.md'), '# Otters')
    const files = ['red.png', 'notes.md'].flatMap((name) => ['--attach', join(folder, name)])
    const ran = await asked('run', '@say seen', ...files)
    expect(ran).toMatchObject({ code: 0, err: '' })
    const sent = JSON.stringify(server().model.requests.at(-1)!.body)
    expect(sent).toContain(`red.png\\", image/png, ${PNG.length} bytes`)
    expect(sent).toContain('# Otters')
    const none = await asked('run', 'x', '--attach', join(folder, 'none.png'))
    expect(none.code).toBe(2)
    expect(none.err).toContain('file not found')
  })

  it("shows the model's question and sends the answer", async () => {
    const asking = await startServer({ env: { OPENAI_BASE_URL: server().model.url } })
    const env = { STRATA_URL: asking.url, STRATA_API_KEY: asking.key }
    const ask = '{"question":"Which colour?","choices":[{"label":"red"},{"label":"blue"}]}'
    const input = `@call ask_user ${ask}\n@then\n@say I take {last}`
    const { code, out } = await strata(['run', input], env)
    expect(code).toBe(3)
    expect(out).toContain('Which colour? (red, blue) To answer, run strata send ')
    const [, run = ''] = /strata send (run_\w+)/.exec(out) ?? []
    const sent = await strata(['send', run, 'blue'], env)
    expect(sent).toMatchObject({ code: 0, err: '' })
    expect(sent.out).toMatch(/^msg_\w+ answers call_\w+\n$/)
    const followed = await strata(['tail', run], env)
    expect(/^\| (.*)$/m.exec(followed.out)?.[1]).toBe('I take blue')
    const late = await strata(['send', run, 'blue'], env)
    expect(late).toMatchObject({ code: 1, out: '' })
  })
})

it('strata keys creates, lists, replaces, and revokes keys of the server', async () => {
  const made = await asked('keys', '--create', '--scope', 'runs:read', '--name', 'ci')
  expect(made).toMatchObject({ code: 0, err: '' })
  const key = made.out.trim()
  const id = key.split('_')[1]!
  const listed = await asked('keys')
  expect(listed.out).toMatch(
    /^id +name +scopes +expires_at +last_used_at +addresses +rate_limits +quotas\n/,
  )
  expect(listed.out).toMatch(new RegExp(`^${id} +ci +runs:read +– +– +– +– +–$`, 'm'))
  expect(listed.out).not.toContain(key)
  const runs = (text: string) =>
    strata(['runs'], { STRATA_URL: server().url, STRATA_API_KEY: text })
  expect((await runs(key)).code).toBe(0)
  const bound = ['--address', '127.0.0.0/8', '--address', '::1', '--rate', '50']
  const changed = await asked('keys', '--update', id, '--name', 'build', ...bound)
  expect(changed.out).toMatch(/ build +runs:read +– +\S+:00:00\S+ +127.0.0.0\/8,::1 +50\/s +–\n$/)
  expect((await runs(key)).code).toBe(0)
  const next = (await asked('keys', '--rotate', id, '--overlap', '0')).out.trim()
  expect((await runs(key)).code).toBe(1)
  expect((await runs(next)).code).toBe(0)
  expect((await asked('keys', '--revoke', next.split('_')[1]!)).out).toBe('revoked\n')
  expect((await runs(next)).code).toBe(1)
  const wrong = async (...args: string[]) => {
    const { code, err } = await asked('keys', ...args)
    return [code, err]
  }
  expect(await wrong('--create')).toEqual([2, expect.stringContaining('requires --scope')])
  expect(await wrong('--name', 'x')).toEqual([2, expect.stringContaining('require --create')])
  expect(await wrong('--create', '--revoke', id)).toEqual([2, expect.stringContaining('cannot')])
  expect(await wrong('--create', '--scope', 'all')).toEqual([1, expect.stringContaining('scopes')])
})

it('strata secrets writes, lists, and deletes secrets, whose values are never arguments', async () => {
  const set = (input: string, ...args: string[]): Promise<Said> =>
    new Promise((resolve) => {
      const env = { STRATA_URL: server().url, STRATA_API_KEY: server().key }
      const child = execFile(
        process.execPath,
        [MAIN, 'secrets', 'set', ...args],
        { env },
        (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      )
      child.stdin?.end(input)
    })
  const bound = ['--host', 'mcp.shop.example', '--host', '*.shop.example']
  expect(await set('shpat_value\n', 'SHOP_TOKEN', ...bound)).toEqual({
    ...{ code: 0, out: 'SHOP_TOKEN version 1\n', err: '' },
  })
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'key'), 'sk-value')
  await writeFile(join(folder, 'latin1'), 'sk-vérité', 'latin1')
  const file = ['--from-file', join(folder, 'key'), '--use', 'model', '--use', 'search']
  const free = await set('', 'ANY', '--any-host', ...file)
  expect(free.out).toBe('ANY version 2\n')
  expect(free.err).toContain('any host')
  const { out } = await asked('secrets', 'list')
  expect(out).toMatch(/^name +version +hosts +uses +updated_at\n/)
  expect(out).toMatch(/^SHOP_TOKEN +1 +mcp\.shop\.example,\*\.shop\.example +mcp +\S+Z$/m)
  expect(out).toMatch(/^ANY +2 +any +model,search +\S+Z$/m)
  const resealed = await asked('keys', 'reseal')
  expect(resealed).toMatchObject({ code: 0, out: '2 values encrypted again\n' })
  expect(resealed.err).toContain('left: Tokens and links')
  const ofAlice = await set('alice-value', 'MINE', ...bound, '--subject', 'alice')
  expect(ofAlice.out).toBe('MINE version 1\n')
  const names = async (...args: string[]) => (await asked('secrets', 'list', ...args)).out
  expect([await names(), await names('--subject', 'alice')]).toEqual([
    expect.not.stringContaining('MINE'),
    expect.stringContaining('MINE'),
  ])
  const ran = await asked('run', '@say x', '--subject', 'alice', '--detach')
  const { subject } = await server().get<{ subject: string }>(`/v1/runs/${ran.out.trim()}`)
  expect(subject).toBe('alice')
  expect(await asked('secrets', 'delete', 'MINE', '--subject', 'alice')).toMatchObject({ code: 0 })
  expect(await asked('secrets', 'delete', 'ANY')).toEqual({ code: 0, out: 'deleted\n', err: '' })
  expect((await asked('secrets', 'delete', 'ANY')).code).toBe(1)
  for (const [args, reason] of [
    [['SHOP_TOKEN'], 'requires --host'],
    [['SHOP_TOKEN', '--host', 'a.example', '--any-host'], 'requires --host'],
    [['--any-host'], 'requires the name'],
    [['a/../B', '--any-host'], 'at most 128 letters, digits, and _'],
    [['SHOP_TOKEN', '--any-host', '--subject', ' '], 'not be empty'],
    [['SHOP_TOKEN', '--any-host', '--from-file', join(folder, 'latin1')], 'not UTF-8'],
    [['SHOP_TOKEN', '--any-host', '--from-file', '/none'], 'not readable'],
    [['SHOP_TOKEN', '--any-host'], 'the value is empty'],
  ] as const)
    expect(await set('', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(reason) })
  expect((await asked('secrets', 'list', '--any-host')).code).toBe(2)
})

it("strata token, link, and console print credentials made with the terminal's key", async () => {
  const said = await asked('run', '@say hi')
  const id = /run_\w{26}/.exec(said.out + said.err)![0]
  const made = await asked('token', id, '--scope', 'runs:read', '--expires', '120')
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^strata_token_\S+\n$/) })
  expect(made.err).toMatch(/^valid until \S+Z or until your key expires or is revoked\n$/)
  const reads = { STRATA_URL: server().url, STRATA_API_KEY: made.out.trim() }
  expect((await strata(['tail', id], reads)).code).toBe(0)
  expect((await strata(['keys'], reads)).code).toBe(1)
  const tenant = JSON.parse(
    (await asked('token', '--tenant', '--scope', 'runs:read', '--json')).out,
  )
  expect(tenant).toMatchObject({ object: 'token', for: { tenant: true }, scopes: ['runs:read'] })

  const { out, err } = await asked('link', id)
  expect(out).toMatch(/^http:\S+\/decide\/strata_token_\S+\n$/)
  expect(err).toContain('can read')
  expect(await (await fetch(out.trim())).text()).toContain('general: completed')
  const signIn = await asked('console', '--scope', 'runs:read')
  expect(signIn.out).toMatch(/^http:\S+\/console\/sign-in#t=strata_sign_in_\S+\n$/)
  expect(signIn.err).toContain('signs in one browser, only once')

  const wrong = async (...args: string[]) => {
    const result = await asked(...args)
    return [result.code, result.err]
  }
  const neither = [2, expect.stringContaining('an ID or --tenant')]
  expect(await wrong('token', '--scope', 'runs:read')).toEqual(neither)
  expect(await wrong('token', id, '--tenant', '--scope', 'runs:read')).toEqual(neither)
  expect(await wrong('token', id)).toEqual([2, expect.stringContaining('requires --scope')])
  expect(await wrong('token', 'x', '--scope', 'runs:read')).toEqual([
    2,
    expect.stringContaining('not the ID'),
  ])
  expect(await wrong('link', id.replace('run', 'ses'))).toEqual([
    2,
    expect.stringContaining('an approval or a run'),
  ])
  expect(await wrong('token', id, '--scope', 'all')).toEqual([1, expect.stringContaining('scopes')])
})
