/** The documents of the package: their links lead to files that the package has. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Returns the paths that `npm pack` would put into the tarball. */
function packedPaths(): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const out = execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [listing] = Object.values(JSON.parse(out)) as [{ files: readonly { path: string }[] }]
  return listing.files.map(({ path }) => path)
}

it('each relative link of a packaged document leads to a packaged file', () => {
  const paths = packedPaths()
  const documents = paths.filter((path) => path.endsWith('.md'))
  const has = (target: string): boolean =>
    paths.some((path) => path === target || path.startsWith(`${target}/`))
  const links = documents.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(
      ([, link]) => [path, normalize(join(dirname(path), link!)).replace(/\/$/, '')] as const,
    ),
  )
  expect(documents).toContain('README.md')
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter(([, target]) => !has(target))).toEqual([])
})
