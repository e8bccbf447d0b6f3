/**
 * Secrets of a tenant: put, listed without their values, deleted, sealed anew. A put drops the
 * value before it. Changes count at once in this process, in others after 30 seconds.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import {
  hostsOf,
  SECRET_USES,
  type SecretFacts,
  type SecretUse,
  USUAL_USES,
} from '../../core/secret.ts'
import { assert } from '../../lib/assert.ts'
import { byteLength } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { Write } from '../../ports/world.ts'
import { secretsPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { type Asker, type Audited, audit, auditRow } from './audit.ts'
import {
  forgetSecrets,
  readSecrets,
  SECRET_ROW,
  type SecretRows,
  type SecretsHead,
  type StoredSecret,
  sealedFor,
} from './secrets.ts'

export interface SecretRequest {
  readonly value: string
  readonly hosts?: readonly string[] | undefined
  readonly any_host?: boolean | undefined
  readonly uses?: readonly SecretUse[] | undefined
}

/** The version that the writer has read; `absent`: there is none; undefined: whatever is there. */
export type Expected = number | 'absent' | undefined

export interface Put {
  readonly secret: SecretFacts
  readonly created: boolean
}

const missing = (): Refusal => refusal('not_found', 'There is no such secret.')
const changed = (): Refusal =>
  refusal('precondition_failed', 'The secret is not as you have read it.')

export async function putSecret(
  asker: Asker,
  name: string,
  given: SecretRequest,
  expected: Expected,
): Promise<Outcome<Put, Refusal>> {
  const { world, tenant } = asker
  const { value, uses = USUAL_USES } = given
  const to = hostsOf(given)
  if ('errors' in to) {
    return fail(refusal('invalid_request', 'A secret needs hosts that it may be sent to.', to))
  }
  const bytes = byteLength(value)
  if (bytes > LIMITS.secret_bytes) {
    const message = `has ${bytes} bytes; a secret has at most ${LIMITS.secret_bytes}`
    const errors = [{ pointer: '/value', message }]
    return fail(refusal('invalid_request', 'The value is too large.', { errors }))
  }
  return change(asker, async (rows) => {
    const before = rows.secrets.get(name)
    const refused = unexpected(before, expected) ?? noRoom(rows, name, bytes)
    if (refused) return fail(refused)
    const now = iso(world.clock.now())
    const facts: SecretFacts = {
      name,
      version: rows.changes + 1,
      hosts: to.hosts,
      uses: SECRET_USES.filter((use) => uses.includes(use)),
      created_at: before?.created_at ?? now,
      updated_at: now,
    }
    const sealed = await world.secrets.seal(value, sealedFor(tenant, facts))
    const secret: StoredSecret = { ...facts, bytes, sealed }
    const detail = `for ${to.hosts?.join(' ') ?? 'any host'}; ${facts.uses.join(' ')}`
    return ok({
      result: { secret, created: before === undefined },
      rows: [rowOf(secret)],
      entry: { name, action: before ? 'update' : 'create', detail },
      isDone: (after) => after.secrets.get(name)?.sealed === sealed,
    })
  })
}

export async function deleteSecret(
  asker: Asker,
  name: string,
  expected: Expected,
): Promise<Outcome<undefined, Refusal>> {
  return change(asker, async (rows) => {
    const before = rows.secrets.get(name)
    if (!before) return fail(missing())
    const refused = unexpected(before, expected)
    if (refused) return fail(refused)
    return ok({
      result: undefined,
      rows: [{ op: 'delete', key: SECRET_ROW + name }],
      entry: { name, action: 'delete' },
      isDone: (after) => !after.secrets.has(name) && after.changes > rows.changes,
    })
  })
}

/** By name; the audit says who has read the names. */
export async function listSecrets(asker: Asker): Promise<readonly SecretFacts[]> {
  const { secrets } = await readSecrets(asker.world.store, asker.tenant)
  await seen(asker, '*')
  return [...secrets.values()]
}

export async function getSecret(
  asker: Asker,
  name: string,
): Promise<Outcome<SecretFacts, Refusal>> {
  const { secrets } = await readSecrets(asker.world.store, asker.tenant)
  const found = secrets.get(name)
  if (!found) return fail(missing())
  await seen(asker, name)
  return ok(found)
}

const seen = ({ world, tenant, by }: Asker, name: string): Promise<void> =>
  audit(world, tenant, { kind: 'secret', name, action: 'read', by, number: 0 })

/** So many in one commit, which a store bounds by its rows and bytes. */
const AT_ONCE = 10

/** Each under the master key of today; `lost`: names of those that no key opens. */
export async function resealSecrets(asker: Asker): Promise<Resealed> {
  const { world, tenant } = asker
  const names = [...(await readSecrets(world.store, tenant)).secrets.keys()]
  const all: Resealed[] = []
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE)
    const done = await change(asker, async ({ secrets }) => {
      const rows: Write[] = []
      const lost: string[] = []
      for (const secret of some.flatMap((name) => secrets.get(name) ?? [])) {
        const context = sealedFor(tenant, secret)
        const value = await world.secrets.open(secret.sealed, context)
        if (value === undefined) lost.push(`secret ${secret.name}`)
        else rows.push(rowOf({ ...secret, sealed: await world.secrets.seal(value, context) }))
      }
      const result = { resealed: rows.length, lost }
      const detail = `${rows.length} sealed anew`
      const entry = { name: some.join(' '), action: 'reseal', detail } as const
      return ok({ result, rows, entry, isDone: () => false })
    })
    all.push(granted(done))
  }
  return sumOf(all)
}

export interface Resealed {
  readonly resealed: number
  /** Those that no key of the deployment opens. */
  readonly lost: readonly string[]
}

export const sumOf = (all: readonly Resealed[]): Resealed => ({
  resealed: all.reduce((sum, one) => sum + one.resealed, 0),
  lost: all.flatMap(({ lost }) => lost),
})

/** Of an operation that refuses nothing. */
function granted<T>(done: Outcome<T, Refusal>): T {
  assert(done.ok, 'nothing refuses it')
  return done.value
}

const rowOf = (secret: StoredSecret): Write => ({
  op: 'put',
  key: SECRET_ROW + secret.name,
  body: JSON.stringify(secret),
  expect: 'any',
})

interface Change<T> {
  readonly result: T
  readonly rows: readonly Write[]
  readonly entry: Pick<Audited, 'name' | 'action' | 'detail'>
  /** Of a commit of which nobody knows whether it happened. */
  readonly isDone: (after: SecretRows) => boolean
}

/** Reads, judges and writes under the head, again after every conflict; with it goes the audit. */
async function change<T>(
  { world, tenant, by }: Asker,
  plan: (rows: SecretRows) => Promise<Outcome<Change<T>, Refusal>>,
): Promise<Outcome<T, Refusal>> {
  return update<Outcome<T, Refusal>>(world, 'the secret', async () => {
    const rows = await readSecrets(world.store, tenant)
    const planned = await plan(rows)
    if (!planned.ok) return planned
    const { result, rows: writes, entry, isDone } = planned.value
    const changes = rows.changes + 1
    const head: SecretsHead = { changes }
    const audited = auditRow(world, tenant, { kind: 'secret', by, number: changes, ...entry })
    const written = await world.store
      .commit(secretsPartition(tenant), [...writes, audited], {
        expect: rows.version,
        body: JSON.stringify(head),
      })
      // Also when nobody can say whether it happened.
      .finally(() => forgetSecrets(world.store, tenant))
    if (written === 'ok') return ok(result)
    if (written === 'conflict') return undefined
    return isDone(await readSecrets(world.store, tenant)) ? ok(result) : undefined
  })
}

function unexpected(before: StoredSecret | undefined, expected: Expected): Refusal | undefined {
  if (expected === undefined) return undefined
  if (expected === 'absent') return before ? changed() : undefined
  return before?.version === expected ? undefined : changed()
}

function noRoom({ secrets }: SecretRows, name: string, bytes: number): Refusal | undefined {
  const others = [...secrets.values()].filter((one) => one.name !== name)
  if (others.length >= LIMITS.secrets)
    return refusal('rate_limited', `A tenant has at most ${LIMITS.secrets} secrets.`)
  const sum = others.reduce((all, one) => all + one.bytes, bytes)
  if (sum <= LIMITS.secrets_bytes) return undefined
  const message = `All secrets of a tenant together have at most ${LIMITS.secrets_bytes} bytes.`
  return refusal('rate_limited', message)
}
