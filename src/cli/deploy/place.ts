/**
 * Location of a deployment's files: this repository or an installed package. The package contains
 * built bundles, and its deployments write to `.strata` in the working folder.
 */

import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './run.ts'

/** Root folder of the repository or package. */
export const ROOT = join(import.meta.dirname, '../../..')
export const isSource = import.meta.filename.endsWith('.ts')

/** Returns the folder in which a deployment writes its files. */
export const workFolder = (cloud: Cloud): string =>
  isSource ? ROOT : join(process.cwd(), '.strata', cloud)

export type Cloud = 'cloudflare' | 'aws'

interface Manifest {
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const read = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest

/**
 * Returns the programs and libraries that a cloud deployment needs, in the versions of this
 * release.
 */
function toolsOf(cloud: Cloud): readonly (readonly [name: string, version: string])[] {
  if (cloud === 'cloudflare') {
    const { devDependencies = {} } = read(join(ROOT, 'package.json'))
    return [['wrangler', devDependencies.wrangler ?? '']]
  }
  const { dependencies = {} } = read(join(ROOT, 'infra/package.json'))
  // The npm package contains the functions as a built bundle and needs no esbuild.
  return Object.entries(dependencies).filter(([name]) => isSource || name !== 'esbuild')
}

/**
 * Returns the folder where the tool search starts. The package itself must be able to resolve its
 * libraries.
 */
const baseOf = (cloud: Cloud): string =>
  join(ROOT, isSource && cloud === 'aws' ? 'infra' : '', 'package.json')

function manifestOf(cloud: Cloud, name: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(baseOf(cloud)))
  } catch {
    return undefined
  }
}

/**
 * Returns a message with the install command for missing tools, or undefined if none is missing.
 */
export function lackedTools(
  cloud: Cloud,
  versionOf = (name: string): string | undefined => {
    const path = manifestOf(cloud, name)
    return path === undefined ? undefined : read(path).version
  },
): string | undefined {
  const tools = toolsOf(cloud)
  const lacked = tools.filter(([name, version]) => versionOf(name) !== version)
  if (lacked.length === 0) return undefined
  const home = ROOT.split(`${sep}node_modules${sep}`, 1)[0] ?? ROOT
  const where = isSource && cloud === 'aws' ? join(ROOT, 'infra') : home
  const prefix = where === process.cwd() ? '' : ` --prefix ${where}`
  const words = lacked.map(([name, version]) => `${name}@${version}`).join(' ')
  return (
    `strata deploy ${cloud} requires ${lacked.map((tool) => tool.join(' ')).join(', ')}; ` +
    `run \`npm install --save-dev${prefix} ${words}\`, then retry.`
  )
}

/** On first use in this repository, installs the large packages that infra/ needs. */
export function installTools(cloud: Cloud): void {
  if (isSource && cloud === 'aws' && manifestOf(cloud, 'aws-cdk-lib') === undefined)
    run('npm', ['ci'], join(ROOT, 'infra'))
}

/** Returns the path of an installed tool's program. */
export function programOf(cloud: Cloud, name: string, bin: string): string {
  const path = manifestOf(cloud, name)
  const program = path === undefined ? undefined : read(path).bin?.[bin]
  if (path === undefined || program === undefined) throw new Error(lackedTools(cloud) ?? name)
  return join(dirname(path), program)
}
