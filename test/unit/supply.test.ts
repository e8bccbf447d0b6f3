/** Dependencies: each with a purpose, without unexpected install scripts, all in the bill of materials. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { billOfMaterials, listedPackages } from '../tools/sbom.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}
interface Locked {
  readonly version?: string
  readonly hasInstallScript?: boolean
}

const read = (path: string): string => readFileSync(path, 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const { dependencies, devDependencies, peerDependencies } = manifest

it('each dependency has a purpose in infra/dependencies.md, and the part that has it', () => {
  const listed = listedPackages()
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
  expect(listed.map(({ name }) => name)).toEqual(names.toSorted())
  const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('vite.config.ts'))
    .map((file) => [file, read(`src/${file}`)] as const)
  const partOf = (name: string): string => {
    if (name in dependencies) return 'types'
    if (name in peerDependencies) return 'optional'
    const imported = new RegExp(`(?:from|import|import\\() ?'${name}(?:/[^']*)?'`)
    const files = code.filter(([, text]) => imported.test(text)).map(([file]) => file)
    if (files.length === 0) return 'development'
    return files.every((file) => file.startsWith('console/')) ? 'console' : 'server'
  }
  const differ = listed
    .map(({ name, part }) => ({ name, part, actual: partOf(name) }))
    .filter(({ part, actual }) => part !== actual)
    .filter(({ name }) => !(name in EXCEPTIONS))
  expect(differ).toEqual([])
})

/** Packages that the program contains although no import names them, or the opposite. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '@ai-sdk/provider': 'only types are imported',
  rapidoc: 'copied as a file of the page /docs',
}

it('each install script is allowed or refused', () => {
  const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = [...new Set(scripted.map(([path]) => nameOf(path)))]
  expect(names.filter((name) => !(name in manifest.allowScripts))).toEqual([])
})

it('the bill of materials has what users run, in the versions of package-lock.json', () => {
  const { bomFormat, components, metadata } = billOfMaterials()
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'strata'])
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const roots = listedPackages().filter(({ part }) => part !== 'development')
  const versionOf = (name: string) => packages[`node_modules/${name}`]?.version
  const missing = roots.filter(({ name }) => !listed.has(`${name}@${versionOf(name)}`))
  expect(missing).toEqual([])
  for (const name of ['vitest', '@biomejs/biome', 'wrangler'])
    expect(listed.has(`${name}@${versionOf(name)}`)).toBe(false)
  expect(components.some(({ name }) => name === '@smithy/core')).toBe(true)
})
