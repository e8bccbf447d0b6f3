/** The pages of the contract, and the samples that the one for browsers shows. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { memoryWorld } from '../../../../src/hosts/memory/world.ts'
import { assetsIn } from '../../../../src/hosts/node/assets.ts'
import { sourceAssets } from '../../../../src/hosts/node/source-assets.ts'
import { createApp } from '../../../../src/http/app.ts'
import { docsTexts } from '../../../../src/http/docs/texts.ts'
import { writeAssets } from '../../../tools/assets.ts'

const ROOT = join(import.meta.dirname, '../../../..')

const { routes } = createApp(memoryWorld())
const assets = sourceAssets(() => routes)
const withAssets = () => createApp(memoryWorld(), { assets }).app
const text = async (app: ReturnType<typeof withAssets>, path: string): Promise<string> => {
  const response = await app.request(path)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

interface Sample {
  readonly id: string
  readonly label: string
  readonly source: string
}

async function samples(): Promise<Sample[]> {
  const { paths, servers } = JSON.parse(await text(withAssets(), '/docs/openapi.json'))
  expect(servers).toEqual([{ url: '/' }])
  return Object.values<Record<string, { operationId: string; 'x-codeSamples': Sample[] }>>(
    paths,
  ).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, 'x-codeSamples': all }) =>
      all.map((one) => ({ ...one, id: operationId })),
    ),
  )
}

/** Fails with the checker's words. */
function checked(folder: string, program: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(`${error ?? ''}${stdout}${stderr}`).toBe('')
  expect(status).toBe(0)
}

function inFolder(files: Readonly<Record<string, string>>, check: (folder: string) => void): void {
  const folder = mkdtempSync(join(ROOT, 'test/.samples-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    check(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('/docs loads its renderer from this origin, under a policy that allows no other', async () => {
  const app = withAssets()
  const page = await app.request('/docs')
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'")
  const links = [...(await page.text()).matchAll(/(?:src|spec-url|href)="([^"]*)"/g)]
  const loaded = links.map(([, link = '']) => link).filter((link) => link !== 'data:,')
  expect(loaded).toHaveLength(4)
  for (const link of loaded) expect((await text(app, link)).length).toBeGreaterThan(100)
})

const PATHS = [
  ...['/openapi.json', '/llms.txt', '/docs', '/docs/plain', '/docs/openapi.json'],
  ...['/docs/theme.js', '/docs/rapidoc-min.js'],
]

it('/docs is a plain page that says so where the renderer is not installed', () => {
  const texts = docsTexts(routes, false)
  expect(texts['docs.html']).toContain('The rapidoc package is not installed')
  expect(texts['docs-plain.html']).not.toContain('not here')
})

it('a deployment without its assets reports what is missing and what to run, and serves the rest', async () => {
  const without = [
    createApp(memoryWorld()).app,
    createApp(memoryWorld(), { assets: assetsIn(pathToFileURL('/nowhere/')) }).app,
  ]
  for (const app of without) {
    for (const path of PATHS) {
      const answer = await app.request(path)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      const detail = expect.stringMatching(/^The file \S+ is missing .*Run `npm run build`/)
      expect(await answer.json()).toMatchObject({ status: 503, code: 'unavailable', detail })
    }
    expect((await app.request('/healthz')).status).toBe(200)
    expect((await app.request('/v1/runs')).status).toBe(401)
  }
})

it('built files are served byte for byte as texts that this process creates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-assets-'))
  try {
    writeAssets(folder)
    const { app } = createApp(memoryWorld(), { assets: assetsIn(pathToFileURL(`${folder}/`)) })
    for (const path of PATHS) {
      const [built, made] = await Promise.all([app.request(path), withAssets().request(path)])
      built.headers.delete('x-request-id')
      made.headers.delete('x-request-id')
      expect([path, built.status, ...built.headers]).toEqual([path, 200, ...made.headers])
      expect((await built.text()) === (await made.text()), path).toBe(true)
    }
    const yaml = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8')
    expect(JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))).toEqual(parse(yaml))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('/docs shows three samples for each operation', async () => {
  const { paths } = JSON.parse(await text(withAssets(), '/openapi.json'))
  const operations = Object.values<object>(paths).flatMap((one) => Object.keys(one))
  const all = await samples()
  expect(all).toHaveLength(3 * operations.length)
  expect(all.filter(({ source }) => /undefined|\[object/.test(source))).toEqual([])
  const create = all.filter(({ id }) => id === 'createRun').map(({ source }) => source)
  expect(create[0]).toContain(`-d '{"input":"Say hello."}'`)
  expect(create[1]).toContain('strata.runs.create({')
  expect(create[2]).toContain('json={"input": "Say hello."}')
})

it('TypeScript samples match the client', async () => {
  const all = (await samples()).filter(({ label }) => label === 'TypeScript')
  const programs = all.map(({ id, source }) => [`${id}.ts`, `${source}\nexport { answer }\n`])
  const options = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { paths: { 'strata/client': [join(ROOT, 'src/client/index.ts')] } },
    include: ['*.ts'],
  }
  const files = { ...Object.fromEntries(programs), 'tsconfig.json': JSON.stringify(options) }
  inFolder(files, (folder) =>
    checked(folder, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'),
  )
})

it('curl and Python samples are valid', async () => {
  const all = await samples()
  const of = (label: string): string =>
    all.flatMap((one) => (one.label === label ? [`${one.source}\n`] : [])).join('\n')
  inFolder({ 'all.sh': of('curl'), 'all.py': of('Python') }, (folder) => {
    checked(folder, 'bash', '-n', 'all.sh')
    const read = "import ast; ast.parse(open('all.py').read())"
    checked(folder, 'python3', '-c', read)
  })
})
