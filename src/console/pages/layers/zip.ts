/** Reads zips: stored and deflated entries. What an entry unpacks to never exceeds what it says. */

import type { Source } from './import-plan.ts'

class BadZip extends Error {
  override name = 'BadZip'
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_SIZE = 22
/** The longest comment that may follow the end. */
const COMMENT = 65_535
const MOST_ENTRIES = 20_000
const ENCRYPTED = 1

export async function filesInZip(zip: Blob): Promise<Source[]> {
  const tail = await viewOf(zip.slice(Math.max(0, zip.size - END_SIZE - COMMENT)))
  const end = endIn(tail)
  const count = tail.getUint16(end + 10, true)
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  if (count === 0xffff || start === 0xffffffff) throw new BadZip('zip64')
  if (count > MOST_ENTRIES) throw new BadZip(`${count} > ${MOST_ENTRIES}`)
  return listed(zip, await viewOf(zip.slice(start, start + size)), count)
}

const viewOf = async (blob: Blob): Promise<DataView<ArrayBuffer>> =>
  new DataView(await blob.arrayBuffer())

function endIn(view: DataView): number {
  for (let at = view.byteLength - END_SIZE; at >= 0; at -= 1)
    if (view.getUint32(at, true) === END) return at
  throw new BadZip('no central directory')
}

function listed(zip: Blob, view: DataView<ArrayBuffer>, count: number): Source[] {
  const sources: Source[] = []
  for (let at = 0, n = 0; n < count; n += 1) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY)
      throw new BadZip('broken central directory')
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const length = view.getUint16(at + 28, true)
    const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, length))
    const where = view.getUint32(at + 42, true)
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (path.endsWith('/')) continue
    if (flags & ENCRYPTED) throw new BadZip(`${path}: encrypted`)
    if (method !== 0 && method !== 8) throw new BadZip(`${path}: method ${method}`)
    sources.push({ path, size, read: () => unpacked(zip, { where, packed, size, method, path }) })
  }
  return sources
}

interface Packed {
  readonly where: number
  readonly packed: number
  readonly size: number
  readonly method: number
  readonly path: string
}

async function unpacked(zip: Blob, entry: Packed): Promise<Uint8Array> {
  const { where, packed, size, method, path } = entry
  const head = await viewOf(zip.slice(where, where + 30))
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) throw new BadZip(path)
  const start = where + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const body = zip.slice(start, start + packed)
  const stream =
    method === 0 ? body.stream() : body.stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const bytes = new Uint8Array(size)
  let at = 0
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) break
    if (at + value.length > size) {
      await reader.cancel()
      throw new BadZip(`${path}: larger than it says`)
    }
    bytes.set(value, at)
    at += value.length
  }
  if (at !== size) throw new BadZip(`${path}: shorter than it says`)
  return bytes
}
