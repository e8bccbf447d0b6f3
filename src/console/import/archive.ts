/** Files of a zip archive, unpacked in the browser within bounds. */

import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'
import type { Bounds, Source } from './sources.ts'

/** Error whose `word` names a text. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
  readonly word: 'import.zip.broken' | 'import.zip.large' | 'import.zip.empty'

  constructor(word: ArchiveError['word']) {
    super(word)
    this.word = word
  }
}

/** Bytes unpacked between two checks of the bounds, whatever sizes the archive states. */
const CHUNK = 16_384

/** Returns the files of an archive; throws an `ArchiveError` if it is broken or too large. */
export function filesOf(archive: Uint8Array, bounds: Bounds): Source[] {
  const reader = readerOf(bounds)
  try {
    for (let at = 0; at < archive.length; at += CHUNK) {
      const end = at + CHUNK
      reader.unzip.push(archive.subarray(at, end), end >= archive.length)
    }
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError('import.zip.broken')
  }
  const { files } = reader
  if (!files.every(({ ended }) => ended) || !isArchive(archive))
    throw new ArchiveError('import.zip.broken')
  if (files.length === 0) throw new ArchiveError('import.zip.empty')
  return files.map(({ path, chunks, size }) => {
    const body = joined(chunks, size)
    return { path, size, read: async () => body }
  })
}

/** Whether the bytes begin as an archive with or without entries. */
const isArchive = ([p, k]: Uint8Array): boolean => p === 0x50 && k === 0x4b

interface Unpacked {
  readonly path: string
  readonly chunks: Uint8Array[]
  size: number
  ended: boolean
}

function readerOf({ bytes, files: maxFiles }: Bounds) {
  const files: Unpacked[] = []
  let sum = 0
  const unzip = new Unzip((file: UnzipFile) => {
    if (file.name.endsWith('/')) return
    if (files.length >= maxFiles) throw new ArchiveError('import.zip.large')
    const unpacked: Unpacked = { path: file.name, chunks: [], size: 0, ended: false }
    files.push(unpacked)
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error
      sum += chunk.length
      if (sum > bytes) throw new ArchiveError('import.zip.large')
      unpacked.chunks.push(chunk)
      unpacked.size += chunk.length
      unpacked.ended = isLast
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  return { unzip, files }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body
}
