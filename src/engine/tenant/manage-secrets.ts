/**
 * Management of a tenant's secrets: write, list without values, and delete. A write discards the
 * previous value. Changes apply immediately in this process, and in other processes within
 * `secret_cache_seconds`.
 */

import { type AuditChange, changeOf } from '../../core/audit-change.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { hostsOf, SECRET_USES, type SecretFacts, type SecretUse } from '../../core/secret.ts'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { Write } from '../../ports/world.ts'
import { parsePartition, secretSubjectsList } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { type Asker, type Audited, audit, auditRow } from './audit.ts'
import {
  ownerPartition,
  readSecrets,
  SECRET_ROW,
  type SecretRows,
  type SecretsHead,
  type StoredSecret,
  sealContext,
} from './secrets.ts'

/** Caller, with the end user who owns the secrets; secrets without one belong to the tenant. */
export interface SecretOwner extends Asker {
  readonly subject?: string | undefined
}

export interface SecretRequest {
  readonly value: string
  readonly hosts?: readonly string[] | undefined
  readonly any_host?: boolean | undefined
  readonly uses: readonly SecretUse[]
}

/**
 * Version that the caller has read; `absent` if the secret must not exist; undefined accepts any
 * state.
 */
export type ExpectedSecret = number | 'absent' | undefined

export interface WrittenSecret {
  readonly secret: SecretFacts
  readonly isNew: boolean
}

const missing = (): Refusal => refusal('not_found', 'Secret not found.')
const alreadyExists = (): Refusal =>
  refusal('precondition_failed', 'A secret with this name already exists.')
const changed = (): Refusal =>
  refusal(
    'precondition_failed',
    'The secret has changed since you read it; read it again and retry.',
  )

/** Creates or replaces a secret. */
export async function putSecret(
  owner: SecretOwner,
  name: string,
  request: SecretRequest,
  expected: ExpectedSecret,
): Promise<Outcome<WrittenSecret, Refusal>> {
  const { world, tenant, subject } = owner
  const { value, uses } = request
  const allowed = hostsOf(request)
  if ('errors' in allowed)
    return fail(refusal('invalid_request', 'The hosts of the secret are invalid.', allowed))
  const bytes = byteLength(value)
  if (bytes > LIMITS.secret_bytes) return fail(tooLong(bytes))
  const outcome = await change<WrittenSecret>(owner, async (rows) => {
    const previous = rows.secrets.get(name)
    const refused = unexpected(previous, expected) ?? quotaExceeded(rows, name, bytes)
    if (refused) return fail(refused)
    const now = iso(world.clock.now())
    const facts: SecretFacts = {
      name,
      ...(subject === undefined ? {} : { subject }),
      version: rows.changes + 1,
      hosts: allowed.hosts,
      uses: SECRET_USES.filter((use) => uses.includes(use)),
      created_at: previous?.created_at ?? now,
      updated_at: now,
    }
    const sealed = await world.secrets.seal(value, sealContext(tenant, facts))
    const secret: StoredSecret = { ...facts, bytes, sealed }
    const detail = `hosts: ${allowed.hosts?.join(' ') ?? 'any'}; uses: ${facts.uses.join(' ')}`
    return ok({
      result: { secret, isNew: previous === undefined },
      rows: [secretRowWrite(secret)],
      entry: {
        ...{ name, action: previous ? 'update' : 'create', detail },
        ...changeOfSecret(previous, secret),
      },
      isDone: (after) => after.secrets.get(name)?.sealed === sealed,
    })
  })
  // A server may offer other tools to other credentials.
  if (outcome.ok) await world.tools.forget(tenant)
  return outcome
}

function tooLong(bytes: number): Refusal {
  const message = `The value has ${bytes} bytes; at most ${LIMITS.secret_bytes} are allowed.`
  return refusal('invalid_request', message, { errors: [{ pointer: '/value', message }] })
}

/** Deletes a secret; a secret of the deployment with the same name then applies again. */
export async function deleteSecret(
  owner: SecretOwner,
  name: string,
  expected: ExpectedSecret,
): Promise<Outcome<undefined, Refusal>> {
  const outcome = await change<undefined>(owner, async (rows) => {
    const previous = rows.secrets.get(name)
    if (!previous) return fail(missing())
    const refused = unexpected(previous, expected)
    if (refused) return fail(refused)
    return ok({
      result: undefined,
      rows: [{ op: 'delete', key: SECRET_ROW + name }],
      entry: { name, action: 'delete', ...changeOfSecret(previous, undefined) },
      isDone: (after) => !after.secrets.has(name) && after.changes > rows.changes,
    })
  })
  if (outcome.ok) await owner.world.tools.forget(owner.tenant)
  return outcome
}

/** Lists the tenant's secrets by name, and records the read in the audit log. */
export async function listSecrets(owner: SecretOwner): Promise<readonly SecretFacts[]> {
  const { secrets } = await readSecrets(owner.world.store, owner.tenant, owner.subject)
  await auditRead(owner, '*')
  return [...secrets.values()]
}

/** Returns a secret without its value, and records the read in the audit log. */
export async function getSecret(
  owner: SecretOwner,
  name: string,
): Promise<Outcome<SecretFacts, Refusal>> {
  const { secrets } = await readSecrets(owner.world.store, owner.tenant, owner.subject)
  const secret = secrets.get(name)
  if (!secret) return fail(missing())
  await auditRead(owner, name)
  return ok(secret)
}

const auditRead = (owner: SecretOwner, name: string): Promise<void> => {
  const { world, tenant, by } = owner
  const entry = { kind: 'secret', name, action: 'read', by, number: 0 } as const
  return audit(world, tenant, { ...entry, detail: detailOf(owner) })
}

/** Returns the detail of an audit entry: the end user, if any, and further facts. */
function detailOf({ subject }: SecretOwner, facts?: string): string | undefined {
  const owner = subject === undefined ? [] : [`subject: ${subject}`]
  const parts = [...owner, ...(facts === undefined ? [] : [facts])]
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** Describes a change for the audit log; a new value has a new version. */
const changeOfSecret = (
  previous: SecretFacts | undefined,
  next: SecretFacts | undefined,
): AuditChange => changeOf(auditedFacts(previous), auditedFacts(next))

const auditedFacts = (secret: SecretFacts | undefined): object | null =>
  secret ? { version: secret.version, hosts: secret.hosts ?? 'any', uses: secret.uses } : null

/** Returns the write of a secret's row. */
export const secretRowWrite = (secret: StoredSecret): Write => ({
  op: 'put',
  key: SECRET_ROW + secret.name,
  body: JSON.stringify(secret),
  expect: 'any',
})

interface Change<T> {
  readonly result: T
  readonly rows: readonly Write[]
  readonly entry: Pick<Audited, 'name' | 'action' | 'detail' | keyof AuditChange>
  /** Returns whether a commit with an unknown outcome has succeeded. */
  readonly isDone: (after: SecretRows) => boolean
}

/** Plans a change from the current rows and commits it with its audit entry; retries conflicts. */
export async function change<T>(
  owner: SecretOwner,
  plan: (rows: SecretRows) => Promise<Outcome<Change<T>, Refusal>>,
): Promise<Outcome<T, Refusal>> {
  const { world, tenant, by, subject } = owner
  return update<Outcome<T, Refusal>>(world, 'the secret', async () => {
    const rows = await readSecrets(world.store, tenant, subject)
    const planned = await plan(rows)
    if (!planned.ok) return planned
    const { result, rows: writes, entry, isDone } = planned.value
    const changes = rows.changes + 1
    const head: SecretsHead = { changes, subject }
    const detail = detailOf(owner, entry.detail)
    const recorded = { kind: 'secret', by, number: changes, ...entry, detail } as const
    const audited = auditRow(world, tenant, recorded)
    const partition = ownerPartition(tenant, subject)
    const { id } = parsePartition(partition)
    const outcome = await world.store
      .commit(partition, [...writes, audited], {
        expect: rows.version,
        body: JSON.stringify(head),
        listed: subject === undefined ? undefined : { under: secretSubjectsList(tenant), at: id },
      })
      // The cache is also discarded if the outcome is unknown.
      .finally(() => world.secrets.forget?.(tenant, subject))
    if (outcome === 'ok') return ok(result)
    if (outcome === 'conflict') return undefined
    return isDone(await readSecrets(world.store, tenant, subject)) ? ok(result) : undefined
  })
}

function unexpected(
  current: StoredSecret | undefined,
  expected: ExpectedSecret,
): Refusal | undefined {
  if (expected === undefined) return undefined
  if (expected === 'absent') return current ? alreadyExists() : undefined
  return current?.version === expected ? undefined : changed()
}

/** Rejects a secret that exceeds the tenant's limits; a replaced secret does not count. */
function quotaExceeded({ secrets }: SecretRows, name: string, bytes: number): Refusal | undefined {
  const remaining = [...secrets.values()].filter((secret) => secret.name !== name)
  if (remaining.length >= LIMITS.secrets)
    return refusal(
      'rate_limited',
      `A tenant or end user can have at most ${LIMITS.secrets} secrets.`,
    )
  const sum = remaining.reduce((total, secret) => total + secret.bytes, bytes)
  if (sum <= LIMITS.secrets_bytes) return undefined
  const message = `Together, the secrets can have at most ${LIMITS.secrets_bytes} bytes.`
  return refusal('rate_limited', message)
}
