/**
 * Steps of every typed write: validate like the loader, check the condition, and write
 * conditionally.
 */

import { hasError, refusedWhenStrict } from '../../core/config/diagnostic.ts'
import type { Diagnostic } from '../../core/config/types.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { Expect } from '../../ports/world.ts'
import { filePath, listedPath, putFile, putStored } from '../layers/files.ts'
import type { Condition, OperationContext } from './place.ts'

/**
 * Rejects content that the loader rejects; otherwise returns the warnings. `pointer` locates the
 * validated text or the field that a message names.
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

/** Checks a version before it is restored. Errors lead to a rejection only in strict mode. */
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

/** Checks a writer's condition on a resource; `etag` is null if the resource does not exist. */
export function conditionFault(
  condition: Condition | undefined,
  etag: string | null,
): Refusal | undefined {
  if (condition === undefined) return undefined
  if (condition === 'absent')
    return etag === null ? undefined : refusal('precondition_failed', EXISTS)
  return condition.etag === etag ? undefined : refusal('precondition_failed', CHANGED)
}

const EXISTS = 'The file already exists; `If-None-Match: *` only creates files.'
const CHANGED = 'The file has changed since you read it (`If-Match`).'

/**
 * Origin of written content. `new`: a new path, which is validated because prefix and name together
 * can be too long. `there`: changed at its listed path. `stored`: restored at its full size.
 */
export type Origin = 'new' | 'there' | 'stored'

/** Writes a layer's file under a condition. */
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

/** Returns the rejection of a write after repeated conflicts with other writers. */
export const contended = (): Refusal =>
  refusal('conflict', 'Other requests are writing to the same file; retry.')

export interface Reloaded {
  readonly reloaded: boolean
  readonly message: string
}

/**
 * Drops the tenant's cached tool lists. A failure does not fail the preceding write, because the
 * write changes the ETags.
 */
export async function reload({ world, tenant }: OperationContext): Promise<Reloaded> {
  try {
    await world.tools.forget(tenant)
    return { reloaded: true, message: 'The change applies to new runs.' }
  } catch {
    return { reloaded: false, message: 'The change is stored; caches expire within minutes.' }
  }
}
