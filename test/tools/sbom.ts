/**
 * `npm run sbom`: the bill of materials of what users run, CycloneDX 1.5, from package-lock.json
 * alone. Most packages are built into `dist` and therefore development dependencies, so npm's own
 * `--omit dev` would leave them out: the roots are the packages that infra/dependencies.md lists as
 * part of the program.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Listed {
  readonly name: string
  readonly purpose: string
  /** `development` for a package that is not part of what users run. */
  readonly part: string
}

/** Returns the rows of infra/dependencies.md. */
export function listedPackages(): readonly Listed[] {
  const text = readFileSync(join(ROOT, 'infra/dependencies.md'), 'utf8')
  return [...text.matchAll(/^\| `([^`]+)` \| (.+?) \| (.+?) \|$/gm)].map(
    ([, name = '', purpose = '', part = '']) => ({ name, purpose, part }),
  )
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
}
export interface Bill {
  readonly bomFormat: string
  readonly metadata: { readonly component: { readonly name: string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Returns the bill of the packages that are part of the program, and of what they depend on. */
export function billOfMaterials(): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const text = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
  const bill = JSON.parse(text) as Bill
  const roots = listedPackages().filter(({ part }) => part !== 'development')
  const edges = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const [main] = bill.dependencies.filter(({ ref }) => ref.startsWith('strata@'))
  const isRoot = (ref: string): boolean =>
    roots.some(
      ({ name }) => ref.startsWith(`${name}@`) && !ref.slice(name.length + 1).includes('/'),
    )
  const refs = new Set<string>()
  const add = (ref: string): void => {
    if (refs.has(ref)) return
    refs.add(ref)
    for (const next of edges.get(ref) ?? []) add(next)
  }
  for (const ref of main?.dependsOn ?? []) if (isRoot(ref)) add(ref)
  return {
    ...bill,
    // npm names the program after its folder.
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name: 'strata' } },
    components: bill.components.filter((component) => refs.has(component['bom-ref'])),
    dependencies: bill.dependencies.filter(({ ref }) => refs.has(ref)),
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 1)}\n`)
