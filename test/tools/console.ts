/**
 * Builds the console into dist/assets/console, or another folder of assets: hashed names, no source
 * maps, the licenses of what is bundled in one file. Every file is kept as Brotli and as gzip only.
 * Without Vite, which an installation without development packages lacks, it says so.
 */

import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../..')

/** Returns false where Vite is not installed. */
export async function buildConsole(assets = join(ROOT, 'dist/assets')): Promise<boolean> {
  if (!existsSync(join(ROOT, 'node_modules/vite'))) {
    console.log('The console is not built: its build needs the development packages (npm ci).')
    return false
  }
  const { build } = await import('vite')
  // Beside the folder of assets, which Workers of other processes may be serving.
  const temporary = join(dirname(assets), `.console-${process.pid}`)
  const configFile = join(ROOT, 'src/console/vite.config.ts')
  const { NODE_ENV } = process.env
  // Vite takes the variable for its mode, and React would be the slow build for development.
  process.env.NODE_ENV = 'production'
  try {
    await build({ configFile, logLevel: 'warn', build: { outDir: temporary, emptyOutDir: true } })
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
  for (const path of globSync('**/*', { cwd: temporary })) compress(join(temporary, path))
  const folder = join(assets, 'console')
  mkdirSync(assets, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
  return true
}

function compress(file: string): void {
  if (statSync(file).isDirectory()) return
  const content = readFileSync(file)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  rmSync(file)
}
