/**
 * Puts the packages that the built program imports into dist/vendor, in the versions of
 * package-lock.json, and points its imports there. Left out are `dependencies`, whose types are part
 * of ours, and `peerDependencies`, which are optional. An installation thus has what was tested.
 */

import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'

const ROOT = join(import.meta.dirname, '../..')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: unknown
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
const fileOf = (specifier: string): string =>
  `${specifier.replace(/^@/, '').replaceAll('/', '-')}.js`

/** CommonJS modules inside expect `require`; ES modules have none. */
const REQUIRE =
  "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"

/**
 * Replaces all modules of `dist` by ones whose imports lead to `dist/vendor`, and fills that. Returns
 * the paths of the modules that it holds.
 */
export async function vendor(dist: string): Promise<readonly string[]> {
  const { dependencies, devDependencies, peerDependencies } = manifestIn(ROOT)
  const isVendored = (name: string): boolean =>
    name in devDependencies && !(name in dependencies) && !(name in peerDependencies)
  const folder = join(dist, 'vendor')
  const specifiers = new Set<string>()
  const redirect: Plugin = {
    name: 'redirect',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
        if (kind === 'entry-point') return undefined
        if (!isVendored(packageOf(path))) return { path, external: true }
        specifiers.add(path)
        const target = relative(dirname(importer), join(folder, fileOf(path)))
        return { path: target.startsWith('.') ? target : `./${target}`, external: true }
      })
    },
  }
  await build({
    entryPoints: globSync('**/*.js', { cwd: dist, exclude: ['assets/**', 'vendor/**'] }).map(
      (name) => join(dist, name),
    ),
    ...{ outdir: dist, outbase: dist, allowOverwrite: true },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node24', charset: 'utf8' },
    ...{ logLevel: 'warning', plugins: [redirect] },
  })
  return bundle(
    folder,
    [...specifiers].sort(),
    Object.keys({ ...dependencies, ...peerDependencies }),
  )
}

async function bundle(
  folder: string,
  specifiers: readonly string[],
  left: readonly string[],
): Promise<readonly string[]> {
  const entries = await Promise.all(
    specifiers.map(async (specifier) => {
      const module = await import(specifier)
      const names = Object.keys(module).filter((name) => name !== 'module.exports')
      return [specifier, `export { ${names.join(', ')} } from '${specifier}'`] as const
    }),
  )
  const sources = new Map(entries)
  const virtual: Plugin = {
    name: 'entries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ kind, path }) =>
        kind === 'entry-point' ? { path, namespace: 'entry' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
        contents: sources.get(path) ?? '',
        ...{ resolveDir: ROOT, loader: 'js' },
      }))
    },
  }
  const { metafile } = await build({
    entryPoints: specifiers.map((specifier) => ({
      in: specifier,
      out: fileOf(specifier).replace(/\.js$/, ''),
    })),
    ...{ outdir: folder, bundle: true, splitting: true, format: 'esm', platform: 'node' },
    ...{ target: 'node24', minify: true, keepNames: true, charset: 'utf8', metafile: true },
    external: left.flatMap((name) => [name, `${name}/*`]),
    ...{ legalComments: 'none', logLevel: 'warning', plugins: [virtual] },
    ...{ banner: { js: REQUIRE }, chunkNames: 'chunks/[hash]' },
  })
  return Object.keys(metafile.inputs)
}

/** Writes the licenses of all packages that these modules are part of. */
export function writeLicenses(folder: string, files: readonly string[]): void {
  const packages = new Set(
    files.flatMap((path) => {
      // Paths begin in the folder of a configuration.
      const below = path.slice(Math.max(0, path.indexOf('node_modules/')))
      return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(below)?.[0] ?? []
    }),
  )
  const names = new Map<string, string[]>()
  for (const path of [...packages].sort()) {
    const { name, version, license } = manifestIn(join(ROOT, path))
    const texts = readdirSync(join(ROOT, path))
      .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
      .map((file) => readFileSync(join(ROOT, path, file), 'utf8').trim())
    const text = texts.join('\n\n')
    names.set(text, [...(names.get(text) ?? []), `${name} ${version} (${String(license)})`])
  }
  const all = [...names].map(([text, packages]) => `${packages.join('\n')}\n\n${text}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'licenses.txt'), `${all.join('\n\n----\n\n')}\n`)
}
