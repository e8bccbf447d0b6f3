/** `npm run build`: the JavaScript and declarations of src in dist, and the assets that hosts serve. */

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildAssets } from './assets.ts'

const ROOT = join(import.meta.dirname, '../..')

rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
const options = { cwd: ROOT, stdio: 'inherit' } as const
process.exitCode =
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], options).status ?? 1
keepReached()
await buildAssets()

/** Declarations that no entry of the package leads to are of use to nobody, and half of all. */
function keepReached(): void {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>
  }
  const entries = Object.values(exports).flatMap((one) =>
    typeof one === 'string' ? [] : one.types,
  )
  const reached = new Set<string>()
  const waiting = entries.map((path) => join(ROOT, path))
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (reached.has(path) || !existsSync(path)) continue
    reached.add(path)
    const text = readFileSync(path, 'utf8')
    for (const [, to = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      waiting.push(resolve(dirname(path), to.replace(/\.[jt]s$/, '.d.ts')))
  }
  for (const path of globSync('dist/**/*.d.ts', { cwd: ROOT })) {
    const file = join(ROOT, path)
    if (reached.has(file)) writeFileSync(file, tabbed(readFileSync(file, 'utf8')))
    else rmSync(file)
  }
}

/** The compiler indents by four spaces, which are a quarter of deeply nested types. */
function tabbed(text: string): string {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
}
