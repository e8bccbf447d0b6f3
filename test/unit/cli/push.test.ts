import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { listingOf } from '../../../src/cli/listing.ts'
import { push } from '../../../src/cli/push.ts'
import { terminal } from '../../support/terminal.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A server that answers each key with `status`, and the keys that it was sent. */
async function serverThat(status: (key: string) => number) {
  const keys: string[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ data: [], next_cursor: null }))
        return
      }
      const key = decodeURIComponent(request.url ?? '').slice('/v1/files/'.length)
      keys.push(key)
      response.writeHead(status(key), { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify({ detail: `not ${key}`, etag: 'e' }))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  open.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { env: { STRATA_URL: `http://127.0.0.1:${port}`, STRATA_API_KEY: 'k' }, keys }
}

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'strata-push-'))
  open.push(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, '.agents/agents'), { recursive: true })
  for (const name of ['a.md', 'b:c.md', 'd e.md'])
    writeFileSync(join(root, '.agents/agents', name), 'x')
  symlinkSync('.', join(root, 'circle'))
  return root
}

it('a refused file is reported and does not stop the others', async () => {
  const { env, keys } = await serverThat((key) => (key.includes(':') ? 400 : 201))
  const heard = terminal(env)
  expect(await push(heard, { dir: folder(), prefix: 'repos/app/' })).toBe(1)
  expect(keys.sort()).toEqual([
    'repos/app/.agents/agents/a.md',
    'repos/app/.agents/agents/b:c.md',
    'repos/app/.agents/agents/d e.md',
  ])
  expect(heard.errors.sort()).toEqual([
    '.agents/agents/b:c.md: refused: 400: not repos/app/.agents/agents/b:c.md',
    'circle: skipped: symbolic links are not followed',
  ])
  expect(heard.lines()).toEqual(['pushed 2 files to repos/app/'])
})

it('a file of gigabytes is sent only until it is known to be too large', async () => {
  const { env, keys } = await serverThat(() => 413)
  const root = folder()
  truncateSync(join(root, '.agents/agents/a.md'), 5 * 2 ** 30)
  expect(await push(terminal(env), { dir: root, prefix: 'base', force: true })).toBe(1)
  expect(keys).toHaveLength(3)
})

it('a key that is not accepted ends the push at once', async () => {
  const { env, keys } = await serverThat(() => 401)
  await expect(push(terminal(env), { dir: folder(), prefix: 'base' })).rejects.toThrow(/^401/)
  expect(keys.length).toBeLessThanOrEqual(3)
})

it('a file that the server is too busy to accept is sent again', async () => {
  let first = true
  const { env, keys } = await serverThat(() => {
    const status = first ? 503 : 201
    first = false
    return status
  })
  expect(await push(terminal(env), { dir: folder(), prefix: 'base' })).toBe(1)
  expect(keys).toHaveLength(4)
})

it("a push excludes a pack's tests and recordings, and sends the project's other tests", async () => {
  const { env, keys } = await serverThat(() => 201)
  const root = mkdtempSync(join(tmpdir(), 'strata-push-'))
  open.push(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'tests/recordings'), { recursive: true })
  const files = {
    'tests/first.md': '---\nagent: a\nexpect:\n  text: x\n---\nInput.\n',
    'tests/recordings/first.json': '{\n  "strata_recording": 1\n}\n',
    'tests/notes.md': '---\ntitle: Notes\n---\nexpect: nothing\n',
    'tests/data.json': '{"a":1}',
    'tests/unit.py': 'pass\n',
    'docs/first.md': '---\nexpect: x\n---\n',
  }
  for (const path of ['docs/', 'tests/']) mkdirSync(join(root, path), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  const heard = terminal(env)
  expect(await push(heard, { dir: root, prefix: 'repos/app' })).toBe(0)
  expect(heard.errors).toEqual(['skipped as tests of the pack: 2'])
  const own = ['docs/first.md', 'tests/data.json', 'tests/notes.md', 'tests/unit.py']
  expect(keys.sort()).toEqual(own.map((path) => `repos/app/${path}`))
  keys.length = 0
  const all = { dir: root, prefix: 'repos/app', include: ['tests/'] }
  expect(await push(terminal(env), all)).toBe(0)
  expect(keys).toContain('repos/app/tests/first.md')
})

it('agent instructions are sent, with a note that no run reads them', async () => {
  const { env, keys } = await serverThat(() => 201)
  const root = mkdtempSync(join(tmpdir(), 'strata-push-'))
  open.push(() => rmSync(root, { recursive: true }))
  for (const name of ['AGENTS.md', '.cursorrules', 'README.md'])
    writeFileSync(join(root, name), 'Be brief.\n')
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'))
  const heard = terminal(env)
  expect(await push(heard, { dir: root, prefix: 'repos/app' })).toBe(1)
  expect(keys.sort()).toEqual(
    ['.cursorrules', 'AGENTS.md', 'README.md'].map((x) => `repos/app/${x}`),
  )
  const told =
    'sent, but runs do not read instructions from it: move its text to an agent or a skill'
  expect(heard.errors.sort()).toEqual([
    expect.stringContaining(`.cursorrules: ${told}`),
    expect.stringContaining(`AGENTS.md: ${told}`),
    'CLAUDE.md: skipped: symbolic links are not followed',
  ])
})

it('--json prints one line per finding, and the totals on the last line', async () => {
  const { env } = await serverThat((key) => (key.includes(':') ? 400 : 201))
  const root = folder()
  writeFileSync(join(root, 'AGENTS.md'), 'Be brief.\n')
  writeFileSync(join(root, '.env'), 'A=1\n')
  const heard = terminal(env)
  expect(await push(heard, { dir: root, prefix: 'repos/app', json: true })).toBe(1)
  const found = heard.lines().map((line) => JSON.parse(line))
  expect(found.at(-1)).toEqual({
    ...{ prefix: 'repos/app/', pushed: 3, unchanged: 0, deleted: 0, refused: 1 },
    ...{ dry_run: false, unread: 2 },
  })
  const findings = found.slice(0, -1).map(({ path, severity, code }) => [path, severity, code])
  expect(findings.sort()).toEqual([
    ['.agents/agents/b:c.md', 'error', 'refused'],
    ['.env', 'note', 'withheld'],
    ['AGENTS.md', 'warning', 'instructions_unread'],
    ['circle', 'warning', 'not_read'],
  ])
})

it('links and instructions that .strataignore lists are excluded without a failure', async () => {
  const { env } = await serverThat(() => 201)
  const root = folder()
  writeFileSync(join(root, 'AGENTS.md'), 'Be brief.\n')
  writeFileSync(join(root, '.strataignore'), 'AGENTS.md\ncircle\n')
  expect(await push(terminal(env), { dir: root, prefix: 'repos/app' })).toBe(0)
})

const AGENT = '---\nname: good\ndescription: Does it.\ntools: file_raed\n---\nText.\n'

function pack(): string {
  const root = mkdtempSync(join(tmpdir(), 'strata-push-'))
  open.push(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, '.agents/agents'), { recursive: true })
  writeFileSync(join(root, '.agents/agents/good.md'), AGENT)
  writeFileSync(join(root, '.agents/agents/broken.md'), '---\nname: broken\n---\nText.\n')
  mkdirSync(join(root, 'node_modules/other'), { recursive: true })
  writeFileSync(join(root, 'node_modules/other/index.js'), '')
  return root
}

it('a file that does not load is not sent, and a misspelled tool is reported with its line', async () => {
  const { env, keys } = await serverThat(() => 201)
  const printed = terminal(env)
  expect(await push(printed, { dir: pack(), prefix: 'base' })).toBe(1)
  expect(keys).toEqual(['base/.agents/agents/good.md'])
  expect(printed.errors).toEqual([
    'skipped because of node_modules: 1',
    '.agents/agents/broken.md: error: `description` is missing or blank [description_missing]',
    'not sent because they do not load: 1; use --force to send them',
    expect.stringMatching(
      /^\.agents\/agents\/good\.md:4: warning: unknown tool `file_raed`; did you mean `file_read`\?/,
    ),
  ])
})

it('a gitignored file is checked when --include names it', async () => {
  const { env, keys } = await serverThat(() => 201)
  const dir = pack()
  writeFileSync(join(dir, '.gitignore'), '.agents/agents/broken.md\n')
  const printed = terminal(env)
  const include = ['.agents/agents/broken.md']
  expect(await push(printed, { dir, prefix: 'base', include })).toBe(1)
  expect(keys).not.toContain('base/.agents/agents/broken.md')
  expect(printed.errors.join('\n')).toContain('[description_missing]')
})

it('--force sends a file that does not load, and reports why it does not', async () => {
  const { env, keys } = await serverThat(() => 201)
  const printed = terminal(env)
  expect(await push(printed, { dir: pack(), prefix: 'base', force: true })).toBe(0)
  expect(keys.sort()).toEqual(['base/.agents/agents/broken.md', 'base/.agents/agents/good.md'])
  expect(printed.errors.join('\n')).toContain('[description_missing]')
})

it('findings are colored by severity when the terminal has colors', async () => {
  const { env } = await serverThat(() => 201)
  const severities: string[] = []
  const printed = { ...terminal(env), finding: (severity: string) => severities.push(severity) }
  await push(printed, { dir: pack(), prefix: 'base' })
  expect(severities).toEqual(['error', 'warning'])
})

it('a file that changes between the check and the push is sent in its checked version', () => {
  const root = folder()
  const path = '.agents/agents/a.md'
  const listing = listingOf(root)
  const text = (body: Uint8Array) => Buffer.from(body).toString()
  expect(text(listing.read(path))).toBe('x')
  writeFileSync(join(root, path), 'changed')
  expect(text(listing.take(path))).toBe('x')
  expect(text(listing.take(path))).toBe('changed')
})

it('notes of an earlier push of the same folder are not repeated, but errors are', async () => {
  const { env } = await serverThat((key) => (key.includes(':') ? 400 : 201))
  const heard = terminal(env)
  const dir = folder()
  const notesBefore = new Set<string>()
  const pushed = async () => {
    const before = heard.errors.length
    await push(heard, { dir, prefix: 'repos/app', notesBefore })
    return heard.errors.slice(before).sort()
  }
  const refused = '.agents/agents/b:c.md: refused: 400: not repos/app/.agents/agents/b:c.md'
  const link = 'circle: skipped: symbolic links are not followed'
  expect(await pushed()).toEqual([refused, link])
  expect(await pushed()).toEqual([refused])
})
