/** Attachments that a command sends with its message: images, PDF files, audio, and text files. */

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { components } from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { WrongUse } from './usage-error.ts'

type Input = string | components['schemas']['InputPart'][]

/**
 * Returns the message text, or message parts if files are attached. The server validates their
 * media types.
 */
export async function withFiles(text: string, paths: readonly string[]): Promise<Input> {
  if (paths.length === 0) return text
  const files = paths.map(async (path) => {
    const bytes = await readFile(path).catch(() => undefined)
    if (!bytes) throw new WrongUse(`file not found: ${oneLine(path)}`)
    return { type: 'file' as const, data: bytes.toString('base64'), name: basename(path) }
  })
  return [{ type: 'text' as const, text }, ...(await Promise.all(files))]
}
