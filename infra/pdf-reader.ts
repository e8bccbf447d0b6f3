/**
 * `node infra/pdf-reader.ts`: writes infra/.generated/pdfjs.mjs, the reader of PDF files without its
 * own Brotli decoder, whose dictionary is 66 KiB compressed. The platform's decoder takes its place.
 * The sandbox Worker is bundled with it (infra/sandbox.toml).
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DECODER = 'Ge=makeBrotliDecode()'
const PLATFORM_DECODER = 'Ge=bytes=>brotliDecompressSync(bytes)'
const IMPORT = 'import{brotliDecompressSync}from"node:zlib";'

/** Replaces the decoder. Throws where the reader does not have it exactly once. */
export function withPlatformDecoder(reader: string): string {
  const parts = reader.split(DECODER)
  if (parts.length !== 2)
    throw new Error(
      `unpdf has another version: infra/pdf-reader.ts does not find ${DECODER} in it.`,
    )
  return IMPORT + parts.join(PLATFORM_DECODER)
}

export function writePdfReader(folder = join(import.meta.dirname, '.generated')): string {
  const reader = readFileSync(fileURLToPath(import.meta.resolve('unpdf/pdfjs')), 'utf8')
  const file = join(folder, 'pdfjs.mjs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, withPlatformDecoder(reader))
  return file
}

if (import.meta.main) writePdfReader()
