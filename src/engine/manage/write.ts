/**
 * The steps of every typed write: judge as the loader would, check conditions, write under them.
 */

import { hasError, refusedWhenStrict } from '../../core/config/diagnostic.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Expect } from '../../ports/world.ts'
import { filePath, listedPath, putFile, putStored } from '../layers/files.ts'
import type { Condition, OperationContext } from './place.ts'

/**
 * Refuses what the loader rejects; else the findings that are worth showing. `pointer`: where the
 * text stands that was judged, or how to find the field that a sentence is about.
 */
export function checkFindings(
  { strict }: OperationContext,
  findings: readonly Diagnostic[],
  pointer: string | ((message: string) => string),
): Outcome<readonly Diagnostic[], Refusal> {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (hasError(findings)) {
    const large = errors.some(({ code }) => /^(?:file|frontmatter|toml)_too_large$/.test(code))
    return fail(findingsRejection(large ? 'too_large' : 'invalid_config', errors, pointer))
  }
  const warnings = findings.filter(({ severity }) => severity !== 'note')
  const against = findings.filter(refusedWhenStrict)
  if (strict === true && against.length > 0)
    return fail(findingsRejection('strict', against, pointer))
  return ok(warnings)
}

/** The same of a version: it comes back as it was, whatever is wrong with it, unless strict. */
export const judgedVersion = (
  manager: OperationContext,
  findings: readonly Diagnostic[],
): Outcome<readonly Diagnostic[], Refusal> =>
  manager.strict === true
    ? checkFindings(manager, findings, '/version')
    : ok(findings.filter(({ severity }) => severity !== 'note'))

function findingsRejection(
  code: 'too_large' | 'invalid_config' | 'strict',
  findings: readonly Diagnostic[],
  pointer: string | ((message: string) => string),
): Refusal {
  const errors = findings.map(({ code: about, line, message, hint }) => {
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
    return etag === null ? undefined : refusal('precondition_failed', EXISTS)
  return condition.etag === etag ? undefined : refusal('precondition_failed', CHANGED)
}

const EXISTS = 'The file exists, and `If-None-Match: *` only creates files.'
const CHANGED = 'The file has changed since you read it (`If-Match`).'

/**
 * `new`: its path is judged, since a prefix and what lies below it may be too long together.
 * `there`: its folder is listed, and it is changed where it lies. `stored`: a version or an older
 * layout holds it, and it is restored as large as it is.
 */
export type Origin = 'new' | 'there' | 'stored'

/** Writes a file of a layer under a condition. */
export async function writeFile(
  manager: OperationContext,
  path: string,
  body: Uint8Array,
  expect: Expect,
  origin: Origin,
): Promise<Outcome<{ readonly etag: string }, Refusal>> {
  const checkedPath = origin === 'new' ? filePath(path) : ok(listedPath(path))
  if (!checkedPath.ok) return fail(refusal('invalid_key', `${path}: ${checkedPath.error}.`))
  const put = origin === 'stored' ? putStored : putFile
  return put(manager, checkedPath.value, body, expect)
}

/** Other clients wrote between our reads and writes, repeatedly. */
export const contended = (): Refusal =>
  refusal('conflict', 'Other requests are writing to the same file; retry.')

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
    return { reloaded: true, message: 'Runs that start from now on use it.' }
  } catch {
    return { reloaded: false, message: 'The change is stored; caches expire within minutes.' }
  }
}
