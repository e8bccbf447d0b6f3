/** The reader of PDF files in the sandbox Worker: its Brotli decoder is the platform's. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { withPlatformDecoder, writePdfReader } from '../../../infra/pdf-reader.ts'
import { pdfOf } from '../../support/site.ts'

it('a reader without a bundled Brotli decoder reads a page compressed with Brotli', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-pdf-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = writePdfReader(folder)
  const reader = await import(file)
  const encode = (text: string) => brotliCompressSync(text).toString('latin1')
  const data = new Uint8Array(
    Buffer.from(pdfOf('Paws', '/Filter /BrotliDecode ', encode), 'latin1'),
  )
  // The reader prefers a stream that decompresses, where the platform has one for Brotli.
  vi.stubGlobal('DecompressionStream', undefined)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const page = await (await reader.getDocument({ data }).promise).getPage(1)
  const { items } = await page.getTextContent()
  expect(items).toMatchObject([{ str: 'Paws' }])
  expect(readFileSync(file, 'utf8')).toContain('brotliDecompressSync(bytes)')
})

it('a reader of another version, whose decoder is missing, is refused', () => {
  expect(() => withPlatformDecoder('export {}')).toThrow(/does not find Ge=makeBrotliDecode\(\)/)
})
