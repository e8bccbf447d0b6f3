/** The Workers as wrangler bundles them: small enough, and without what Workers do not have. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { figuresIn, numbersIn, pageOf } from '../../../infra/figures.ts'
import { writePdfReader } from '../../../infra/pdf-reader.ts'
import { BUDGET_KIB } from '../../../src/cli/deploy/budget.ts'
import { QUIET, ROOT } from '../../support/worker.ts'
import { writeAssets } from '../../tools/assets.ts'

const out = mkdtempSync(join(tmpdir(), 'strata-worker-'))
afterAll(() => rmSync(out, { recursive: true }))
writeAssets()
writePdfReader()
function bundle(...args: string[]): void {
  const command = ['wrangler', 'deploy', '--dry-run', '--outdir', out, ...args]
  execFileSync('npx', command, { cwd: ROOT, env: { ...process.env, ...QUIET }, stdio: 'pipe' })
}
bundle('--config', 'infra/sandbox.toml')
bundle('--metafile')

const inputs = Object.keys(
  JSON.parse(readFileSync(join(out, 'bundle-meta.json'), 'utf8')).inputs as Record<string, unknown>,
)

const STATED = { worker: '`strata`', sandbox: '`strata-sandbox`' } as const

it.each([
  ['worker', 90],
  ['sandbox', 100],
] as const)('the Worker %s leaves %i KiB of 1 MiB free when compressed', (name, free) => {
  const kib = gzipSync(readFileSync(join(out, `${name}.js`))).length / 1024
  console.log(`${name}.js: ${Math.round(kib)} KiB gzip of ${BUDGET_KIB[name]} KiB`)
  expect(BUDGET_KIB[name]).toBe(1_024 - free)
  expect(kib).toBeLessThan(BUDGET_KIB[name])
  // `npm run deploy:cloudflare -- --dry-run` writes the stated figures.
  const stated = numbersIn(figuresIn(pageOf('cloudflare.md'), 'sizes'))[STATED[name]] ?? 0
  expect(Math.abs(kib - stated) / stated).toBeLessThan(0.05)
})

it("the Worker contains no examples and no generator of the contract's text", () => {
  expect(
    inputs.filter((input) =>
      /src\/http\/(?:docs|openapi)\/|\/schemas\/fill\.ts$|\.examples\.ts$/.test(input),
    ),
  ).toEqual([])
})

it('the Worker contains no Node-only code and no validator that compiles code [A10]', () => {
  expect(inputs).toContain('src/hosts/worker.ts')
  const foreign = /src\/hosts\/(node|aws)|node_modules\/(ajv|@aws-sdk|@hono\/node-server)\//
  expect(inputs.filter((input) => foreign.test(input))).toEqual([])
  const text = readFileSync(join(out, 'worker.js'), 'utf8')
  expect(text).not.toMatch(/node:(sqlite|child_process|worker_threads|vm)\b/)
})
