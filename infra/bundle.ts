/**
 * The Lambda bundle: one folder of modules that holds the whole program. What only some runs need
 * (MCP client and server, providers of models) is in chunks of their own, loaded when first asked
 * for, so that a cold start does not pay for them.
 *
 *   node infra/bundle.ts [--out folder]     prints the sizes
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { writeAssets } from '../test/tools/assets.ts'
import { buildConsole } from '../test/tools/console.ts'

const ROOT = join(import.meta.dirname, '..')

export interface Bundle {
  readonly folder: string
  readonly bytes: number
  readonly gzip: number
  /** Size of what a cold start loads: the entry and the chunks that it imports at once. */
  readonly startBytes: number
  /** Paths of the modules that it is made of. */
  readonly inputs: readonly string[]
}

/** Bundles the program alone. */
export function bundleProgram(folder: string) {
  rmSync(folder, { recursive: true, force: true })
  return build({
    entryPoints: {
      lambda: join(ROOT, 'src/hosts/lambda-entry.ts'),
      // Beside the entry, where `sandbox/processes.ts` looks for it.
      child: join(ROOT, 'src/hosts/sandbox/child.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    keepNames: true,
    metafile: true,
    logLevel: 'warning',
    // CommonJS modules inside expect `require`; ES modules have none.
    banner: {
      js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
    },
  })
}

export async function bundleLambda(folder: string): Promise<Bundle> {
  const { metafile } = await bundleProgram(folder)
  // Beside the entry, where `node/assets.ts` looks for them.
  writeAssets(join(folder, 'assets'))
  await buildConsole(join(folder, 'assets'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)
  const outputs = metafile.outputs
  const started = new Set<string>()
  const visit = (path: string): void => {
    if (started.has(path)) return
    started.add(path)
    for (const one of outputs[path]?.imports ?? [])
      if (one.kind === 'import-statement' && one.path in outputs) visit(one.path)
  }
  visit(Object.keys(outputs).find((path) => path.endsWith('lambda.mjs')) ?? '')
  return {
    folder,
    bytes: sum(files.map((file) => file.length)),
    gzip: sum(files.map((file) => gzipSync(file).length)),
    startBytes: sum([...started].map((path) => outputs[path]?.bytes ?? 0)),
    inputs: Object.keys(metafile.inputs),
  }
}

/**
 * Cost for a new process to load the entry, as a cold start does: milliseconds, and bytes of memory
 * when it is loaded.
 */
export function loaded(folder: string): { readonly ms: number; readonly rss: number } {
  const names = [
    'TABLE',
    'BUCKET',
    'QUEUE_MAIN',
    'QUEUE_SUBAGENT',
    'QUEUE_BACKGROUND',
    'QUEUE_RESUME',
  ]
  const env = {
    AWS_REGION: 'us-east-1',
    STRATA_MASTER_KEY: '0'.repeat(64),
    ...Object.fromEntries(names.map((name) => [`STRATA_${name}`, 'https://none.example'])),
  }
  const program = `
    globalThis.awslambda = { streamifyResponse: (handler) => handler }
    const began = performance.now()
    await import(${JSON.stringify(join(folder, 'lambda.mjs'))})
    const ms = performance.now() - began
    console.log(JSON.stringify({ ms, rss: process.memoryUsage.rss() }))`
  const args = ['--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }))
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'infra/cdk.out/lambda' } },
  })
  const { inputs: _, ...made } = await bundleLambda(join(ROOT, values.out))
  const { folder, bytes, gzip, startBytes } = made
  writeFileSync(`${folder}.json`, JSON.stringify(made))
  const kib = (size: number): string => `${Math.round(size / 1024)} KiB`
  const { ms, rss } = loaded(folder)
  const start = `${kib(startBytes)} at a cold start, loaded in ${Math.round(ms)} ms here`
  console.log(
    `${folder}: ${kib(bytes)}, ${kib(gzip)} gzip, ${start}, ${Math.round(rss / 1_048_576)} MB then`,
  )
}
