/**
 * The steps of every typed write: judge as the loader would, check conditions, write under them.
 */

import { hasError, refusedWhenStrict } from '../../core/config/diagnostic.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { sha256 } from '../../lib/digest.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Expect } from '../../ports/world.ts'
import { deleteFile, filePath, listedPath, putFile, putStored, readFile } from '../layers/files.ts'
import { WORKSPACES } from '../partition/keys.ts'
import { keep, record } from './history.ts'
import type { Condition, OperationContext } from './place.ts'

/**
 * Refuses what the loader rejects; else the findings that are worth showing. `pointer`: where the
 * text stands that was judged, or how to find the field that a sentence is about.
 */
export function judged(
  { strict }: OperationContext,
  found: readonly Diagnostic[],
  pointer: string | ((message: string) => string),
): Outcome<readonly Diagnostic[], Refusal> {
  const errors = found.filter(({ severity }) => severity === 'error')
  if (hasError(found)) {
    const large = errors.some(({ code }) => /^(?:file|frontmatter|toml)_too_large$/.test(code))
    return fail(refused(large ? 'too_large' : 'invalid_config', errors, pointer))
  }
  const warnings = found.filter(({ severity }) => severity !== 'note')
  const against = found.filter(refusedWhenStrict)
  if (strict === true && against.length > 0) return fail(refused('strict', against, pointer))
  return ok(warnings)
}

/** The same of a version: it comes back as it was, whatever is wrong with it, unless strict. */
export const judgedVersion = (
  manager: OperationContext,
  found: readonly Diagnostic[],
): Outcome<readonly Diagnostic[], Refusal> =>
  manager.strict === true
    ? judged(manager, found, '/version')
    : ok(found.filter(({ severity }) => severity !== 'note'))

function refused(
  code: 'too_large' | 'invalid_config' | 'strict',
  found: readonly Diagnostic[],
  pointer: string | ((message: string) => string),
): Refusal {
  const errors = found.map(({ code: about, line, message, hint }) => {
    const where = line === null ? '' : `line ${line}: `
    const write = hint === null ? '' : ` (write: ${hint})`
    const place = typeof pointer === 'string' ? pointer : pointer(message)
    return { pointer: place, message: `${where}${message}${write} [${about}]` }
  })
  return refusal(code, errors[0]?.message ?? 'not valid', { errors })
}

/** Whether the thing is as its writer expects; `etag` is null when there is none. */
export function conditionFault(
  condition: Condition | undefined,
  etag: string | null,
): Refusal | undefined {
  if (condition === undefined) return undefined
  if (condition === 'absent')
    return etag === null ? undefined : refusal('precondition_failed', THERE)
  return condition.etag === etag ? undefined : refusal('precondition_failed', CHANGED)
}

const THERE = 'It exists, and `If-None-Match: *` only creates.'
const CHANGED = 'It is not as you have read it (`If-Match`).'

/**
 * `new`: its path is judged, since a prefix and what lies below it may be too long together.
 * `there`: its folder is listed, and it is changed where it lies. `stored`: a version or an older
 * layout holds it, and it is restored as large as it is.
 */
export type Origin = 'new' | 'there' | 'stored'

/** Whether versions of a file are kept: the folder of a run goes with the run. */
export const hasVersions = (path: string): boolean => !path.startsWith(WORKSPACES)

/** Writes a file of a layer under a condition, and keeps the one before as a version. */
export async function writeFile(
  manager: OperationContext,
  path: string,
  body: Uint8Array,
  expect: Expect,
  origin: Origin,
): Promise<Outcome<{ readonly etag: string }, Refusal>> {
  const known = origin === 'new' ? filePath(path) : ok(listedPath(path))
  if (!known.ok) return fail(refusal('invalid_key', `${path}: ${known.error}.`))
  const was = await readFile(manager, path)
  if (was) await keep(manager, was.body)
  const put = await (origin === 'stored' ? putStored : putFile)(manager, known.value, body, expect)
  if (put.ok) await fileNoted(manager, path, 'put', { before: was?.body, after: body })
  return put
}

/** Deletes one in the same way. */
export async function dropFile(
  manager: OperationContext,
  path: string,
  expect: Expect,
): Promise<Outcome<null, Refusal>> {
  const was = await readFile(manager, path)
  if (!was) return deleteFile(manager, path, expect)
  await keep(manager, was.body)
  const deleted = await deleteFile(manager, path, expect)
  if (deleted.ok) await fileNoted(manager, path, 'delete', { before: was.body, after: undefined })
  return deleted
}

/** In the history of the file alone: the audit names the skill, agent or server that it makes. */
async function fileNoted(
  manager: OperationContext,
  path: string,
  action: 'put' | 'delete',
  { before, after }: { before: Uint8Array | undefined; after: Uint8Array | undefined },
): Promise<void> {
  const fileOf = (body: Uint8Array | undefined) =>
    body === undefined ? [] : [{ path, digest: sha256(body) }]
  const files = { before: fileOf(before), after: fileOf(after) }
  const thing = { kind: 'file', layer: '', name: path } as const
  if (files.before[0]?.digest !== files.after[0]?.digest)
    await record(manager, thing, action, files, 'unaudited')
}

/** Somebody else wrote between our reading and our writing, again and again. */
export const contended = (): Refusal =>
  refusal('conflict', 'Others write to the same file at the moment: try again.')

export interface Reloaded {
  readonly reloaded: boolean
  readonly message: string
}

/**
 * The file is the truth, and etags show its change; only cached tool lists are dropped. A write
 * counts even when that fails.
 */
export async function reload({ world, tenant }: OperationContext): Promise<Reloaded> {
  try {
    await world.tools.forget(tenant)
    return { reloaded: true, message: 'Runs that start from now on see it.' }
  } catch {
    return { reloaded: false, message: 'It is written; caches are dropped within minutes.' }
  }
}
