/**
 * Reads, lists, and conditionally writes memory files. Memory files are ordinary tenant files
 * (`layers/files.ts`), visible to REST, file tools, and migration. Secret values are redacted
 * before a write.
 */

import { LIMITS } from '../../core/limits.ts'
import { merged } from '../../core/memory/merge.ts'
import { folderOf, MEMORY, type MemoryPath, memoryPath } from '../../core/memory/scope.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { byteLength, decodeStrict, encode } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Clock, Expect } from '../../ports/world.ts'
import {
  type FileInfo,
  type FileSpace,
  filesBelow,
  isStale,
  listedPath,
  putFile,
  readFile,
} from '../layers/files.ts'
import { hidingSecrets } from '../tenant/redact.ts'

export interface MemoryText {
  readonly text: string
  readonly etag: string
}

/** Returns the tenant file path of a memory path. */
export const memoryKey = (path: string) => listedPath(MEMORY + path)

export function checkedPath(text: string): Outcome<MemoryPath, Refusal> {
  const path = memoryPath(text)
  return path.ok ? path : fail(refusal('invalid_key', `${path.error}.`))
}

export async function readMemory(
  space: FileSpace,
  path: MemoryPath,
): Promise<Outcome<MemoryText, Refusal>> {
  const file = await readFile(space, memoryKey(path))
  if (!file) return fail(refusal('not_found', `File ${JSON.stringify(path)} not found in memory.`))
  const text = decodeStrict(file.body)
  if (text === undefined) return fail(refusal('conflict', `${path} is not UTF-8 text.`))
  return ok({ text, etag: file.etag })
}

/** Lists the Markdown files of memories below a prefix, and whether the list is complete. */
export async function memoryFiles(
  space: FileSpace,
  prefix: string,
  most: number,
): Promise<{ readonly files: readonly FileInfo[]; readonly isWhole: boolean }> {
  const listing = await filesBelow(space, MEMORY + prefix, most)
  const files = listing.files
    .map((file) => ({ ...file, path: file.path.slice(MEMORY.length) }))
    .filter(({ path }) => folderOf(path) !== undefined && /\.md$/i.test(path))
  return { files, isWhole: listing.isWhole }
}

export interface Addition {
  readonly path: MemoryPath
  readonly content: string
  readonly heading?: string | undefined
  /** Whether to replace the complete file instead of adding entries. */
  readonly replace?: boolean | undefined
}

export interface Added {
  readonly path: string
  readonly etag: string
  /** Whether the write created the file. */
  readonly created: boolean
  readonly added: number
  /** Number of entries that already existed and were skipped. */
  readonly duplicates: number
  readonly bytes: number
  /** Whether secret values in the content were redacted. */
  readonly redacted: boolean
  /** SHA-256 digest of the resulting file. */
  readonly digest: string
}

interface Draft {
  readonly before: string | null
  readonly body: Uint8Array
  readonly added: number
  readonly duplicates: number
  readonly redacted: boolean
}

/** Computes a memory file's content after an addition. */
async function draftOf(
  space: FileSpace,
  { path, content, heading, replace }: Addition,
): Promise<Outcome<Draft, Refusal>> {
  const file = await readFile(space, memoryKey(path))
  const current = file ? decodeStrict(file.body) : ''
  if (current === undefined && !replace) {
    return fail(refusal('conflict', `${path} is not UTF-8 text; nothing can be appended.`))
  }
  const hide = await hidingSecrets(space.world, space.tenant)
  const safeContent = hide(content)
  const redacted = safeContent !== content
  const result = replace
    ? { text: safeContent, added: 1, duplicates: 0 }
    : merged(current ?? '', safeContent, heading && hide(heading))
  const bytes = byteLength(result.text)
  if (bytes > LIMITS.memory_file_bytes) return fail(tooLarge(path, bytes))
  const { added, duplicates } = result
  const etag = file?.etag ?? null
  return ok({ before: etag, body: encode(result.text), added, duplicates, redacted })
}

const tooLarge = (path: string, bytes: number): Refusal =>
  refusal(
    'too_large',
    `${path} would have ${bytes} bytes, more than ${LIMITS.memory_file_bytes}; start another file.`,
  )

/** Plans a memory write, to record in the log beforehand (PROTOCOL.md rule 49). */
export async function planAddition(
  space: FileSpace,
  addition: Addition,
): Promise<Outcome<WritePlan, Refusal>> {
  const draft = await draftOf(space, addition)
  if (!draft.ok) return draft
  return ok({ before: draft.value.before, after: sha256(draft.value.body) })
}

/** Maximum number of attempts before a replacement fails with a conflict. */
const TRIES = 8
/** Initial backoff between attempts in milliseconds; doubled each time, minus jitter. */
const PAUSE_MS = 8
const PAUSE_MAX_MS = 2_000

/**
 * Adds each entry to a memory file at most once, despite retries and concurrent writes (PROTOCOL.md
 * rule 49). Additions are merged, so they wait for their turn and never conflict. A replacement
 * applies only to the planned file or to the version in `expect`.
 */
export async function addToMemory(
  space: FileSpace,
  addition: Addition,
  plan: WritePlan | null,
  expect?: Expect,
): Promise<Outcome<Added, Refusal>> {
  const { clock } = space.world
  const until = clock.monotonic() + LIMITS.memory_add_seconds * 1_000
  for (let round = 1; ; round += 1) {
    const done = await attempt(space, addition, plan, expect)
    if (done !== undefined) return done
    // The conflict may be with an earlier write of this call whose response was lost. The next
    // round detects this.
    if (round === TRIES && addition.replace) return fail(refusal('conflict', CONTENDED))
    if (round === TRIES && !(await readFile(space, memoryKey(addition.path))))
      return fail(refusal('conflict', IN_THE_WAY))
    const pause = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** round) * chance(clock)
    if (clock.monotonic() + pause > until) break
    await clock.sleep(Math.ceil(pause))
  }
  const detail = `Other requests are writing to ${addition.path}; retry the request.`
  return fail(refusal('unavailable', detail))
}

const IN_THE_WAY = 'A file cannot replace a folder or be created below a file.'
const CONTENDED = 'Other requests are writing to the same file; retry.'

const chance = (clock: Clock): number => {
  const [high = 0, low = 0] = clock.random(2)
  return (high * 256 + low) / 65_536
}

/** Makes one attempt to write a memory file; returns undefined after a conflict. */
async function attempt(
  space: FileSpace,
  addition: Addition,
  plan: WritePlan | null,
  expect: Expect | undefined,
): Promise<Outcome<Added, Refusal> | undefined> {
  const { path, replace = false } = addition
  const draft = await draftOf(space, addition)
  if (!draft.ok) return draft
  const { before: etag, body, ...counts } = draft.value
  const digest = sha256(body)
  const result = { path, bytes: body.length, digest, created: etag === null, ...counts }
  const unmet = conditionFault(etag, expect)
  if (unmet) return fail(unmet)
  if (etag !== null && (counts.added === 0 || (replace && (await isThere(space, path, digest))))) {
    return ok({ ...result, etag: etag, created: plan?.before === null })
  }
  if (counts.added === 0) return fail(refusal('invalid_request', 'The content is empty.'))
  if (replace && plan && etag !== plan.before) return fail(refusal('conflict', CHANGED))
  const condition = etag === null ? 'absent' : { etag: etag }
  const put = await putFile(space, memoryKey(path), body, condition)
  if (put.ok) return ok({ ...result, etag: put.value.etag })
  return isStale(put.error) ? undefined : put
}

const CHANGED = 'Another writer has changed the file; read it again.'

const isThere = async (space: FileSpace, path: MemoryPath, digest: string): Promise<boolean> => {
  const file = await readFile(space, memoryKey(path))
  return file !== null && sha256(file.body) === digest
}

function conditionFault(etag: string | null, expect: Expect = 'any'): Refusal | undefined {
  if (expect === 'any') return undefined
  const isMet = expect === 'absent' ? etag === null : expect.etag === etag
  return isMet
    ? undefined
    : refusal('precondition_failed', 'The file has changed since you read it.')
}
