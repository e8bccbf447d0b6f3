/** What we depend on: listed with its purpose, installed without scripts that nobody has allowed. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}
interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const nameOf = (path: string): string => path.split('node_modules/').at(-1)!

it('each dependency has its line and its purpose, and no other has', () => {
  const lines = [...read('infra/dependencies.md').matchAll(/^\| `([^`]+)` \| (.+?) \|/gm)]
  expect(lines.map(([, name]) => name)).toEqual(Object.keys(manifest.dependencies).sort())
})

it('each package with a script of its own at installation is decided about', () => {
  const scripted = Object.entries(packages).filter(([, one]) => one.hasInstallScript)
  const names = [...new Set(scripted.map(([path]) => nameOf(path)))]
  expect(names.filter((name) => !(name in manifest.allowScripts))).toEqual([])
  // Of what runs in production none may.
  const run = scripted.filter(([, { dev }]) => !dev).map(([path]) => nameOf(path))
  expect(run.filter((name) => manifest.allowScripts[name] !== false)).toEqual([])
})

it('the bill of materials names every package that runs, with its version', () => {
  const text = execFileSync('npm', ['run', '-s', 'sbom'], { cwd: ROOT, encoding: 'utf8' })
  const bill = JSON.parse(text) as {
    readonly bomFormat: string
    readonly components: readonly { readonly purl: string }[]
  }
  expect(bill.bomFormat).toBe('CycloneDX')
  const listed = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)))
  const wanted = Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
    .map(([path, { version }]) => `pkg:npm/${nameOf(path)}@${version}`)
  expect(wanted.filter((one) => !listed.has(one))).toEqual([])
})
