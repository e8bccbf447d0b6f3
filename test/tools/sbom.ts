/**
 * `npm run sbom`: the bill of materials of what runs, CycloneDX 1.5, by npm itself. npm leaves out
 * too much by `--omit dev` (packages that both need), so what is for development alone goes here.
 */

import { execFileSync } from 'node:child_process'

interface Bill {
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}
interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}
interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

const FORMAT = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const DEVELOPMENT = 'cdx:npm:package:development'

const text = execFileSync('npm', FORMAT, { encoding: 'utf8', maxBuffer: 1e8 })
const bill = JSON.parse(text) as Bill
const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === DEVELOPMENT && value === 'true')
const out = new Set(bill.components.filter(isForDevelopment).map((one) => one['bom-ref']))
const shipped = {
  ...bill,
  components: bill.components.filter((one) => !out.has(one['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => !out.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !out.has(one)) })),
}
process.stdout.write(`${JSON.stringify(shipped, null, 1)}\n`)
