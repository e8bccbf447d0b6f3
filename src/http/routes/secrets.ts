/** Serves the tenant's secrets: write, list, read without the value, and delete. */

import * as z from 'zod'
import {
  SECRET_NAME,
  SECRET_NAME_RULE,
  type SecretFacts,
  secretWarnings,
} from '../../core/secret.ts'
import { LEFT, reseal } from '../../engine/reseal.ts'
import {
  deleteSecret,
  type ExpectedSecret,
  getSecret,
  listSecrets,
  putSecret,
} from '../../engine/tenant/manage-secrets.ts'
import { keySlots } from '../../engine/tenant/provider-keys.ts'
import { conditions, expectation, ifMatch } from '../request/conditions.ts'
import { searched } from '../request/page.ts'
import { granted, refuse } from '../request/problem.ts'
import { type Api, type Call, type Route, route } from '../request/route.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { subject } from '../schemas/shared/words.ts'
import { Resealed, Secret, SecretInput, WrittenSecret } from '../schemas/tenant/secrets.ts'

const params = { name: 'Name of the secret: `^[A-Za-z_][A-Za-z0-9_]{0,127}$`' }
const tag = 'Secrets'
const query = z.strictObject({
  subject: subject().describe(
    'End user who owns the secret; if omitted, the secret applies to all runs of the tenant',
  ),
})
const SOON = 'Other processes apply the change within 10 seconds.'

export function secretRoutes(api: Api): void {
  changes(api)
  reads(api)
  resealRoute(api)
}

type SecretCall = Pick<Call<Route>, 'c' | 'world' | 'tenant' | 'by'>

const ownerOf = (
  { world, tenant, by }: SecretCall,
  { subject }: { readonly subject?: string | undefined },
) => ({ world, tenant, by, subject })

function nameOf({ c }: SecretCall): string {
  const name = c.req.param('name') ?? ''
  if (SECRET_NAME.test(name)) return name
  throw refuse('invalid_key', SECRET_NAME_RULE)
}

function expectedOf({ c }: SecretCall): ExpectedSecret {
  const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
  if (expect === 'any') return undefined
  if (expect === 'absent') return 'absent'
  // An ETag that is not a number matches no version; versions start at 1.
  return /^\d{1,15}$/.test(expect.etag) ? Number(expect.etag) : 0
}

const secretView = ({ name, version, hosts, uses, ...facts }: SecretFacts) => ({
  object: 'secret' as const,
  ...{ name, subject: facts.subject ?? null, version },
  hosts: hosts ?? [],
  any_host: hosts === null,
  uses,
  created_at: facts.created_at,
  updated_at: facts.updated_at,
})

const locationOf = ({ name, subject }: SecretFacts): string =>
  `/v1/secrets/${name}${subject === undefined ? '' : `?subject=${encodeURIComponent(subject)}`}`

function changes(api: Api): void {
  route(
    api,
    {
      id: 'putSecret',
      method: 'put',
      path: '/v1/secrets/{name}',
      params,
      tag,
      summary: 'Create or replace a secret',
      description:
        'Stores the value in encrypted form; no response contains it, and replacing a secret ' +
        "discards the previous value. The secret takes precedence over the deployment's secret " +
        'of the same name. With the use `model` or `search`, it replaces the key of this name, ' +
        `such as \`OPENAI_API_KEY\` or \`BRAVE_API_KEY\`, in calls for the tenant. ${SOON}`,
      scope: 'secrets:write',
      query,
      headers: conditions,
      body: SecretInput,
      refusals: [400, 412, 429],
      answers: {
        200: { description: 'The replaced secret', schema: WrittenSecret },
        201: { description: 'The new secret', schema: WrittenSecret, headers: ['Location'] },
      },
    },
    async (call) => {
      const { c, world, body } = call
      const name = nameOf(call)
      const outcome = await putSecret(ownerOf(call, call.query), name, body, expectedOf(call))
      const { secret, isNew } = granted(outcome)
      const warnings = secretWarnings(body.value, secret, keySlots(world))
      const view = { ...secretView(secret), warnings }
      const etag = `"${secret.version}"`
      return isNew
        ? c.json(view, 201, { etag, location: locationOf(secret) })
        : c.json(view, 200, { etag })
    },
  )
  route(
    api,
    {
      id: 'deleteSecret',
      method: 'delete',
      path: '/v1/secrets/{name}',
      params,
      tag,
      summary: 'Delete a secret',
      description: `The deployment's secret of the same name then applies, if any. ${SOON}`,
      scope: 'secrets:write',
      query,
      headers: z.object({ 'if-match': ifMatch() }),
      refusals: [400, 412],
      answers: { 204: { description: 'Deleted' } },
    },
    async (call) => {
      const owner = ownerOf(call, call.query)
      granted(await deleteSecret(owner, nameOf(call), expectedOf(call)))
      return call.c.body(null, 204)
    },
  )
}

function reads(api: Api): void {
  route(
    api,
    {
      id: 'listSecrets',
      method: 'get',
      path: '/v1/secrets',
      tag,
      summary: 'List secrets, by name',
      description:
        "Without values, and without the deployment's own secrets. The audit log records the " +
        'request.',
      scope: 'secrets:read',
      query: z.strictObject({ ...pageQuery, ...query.shape }),
      answers: { 200: { description: 'The requested data', schema: list(Secret) } },
    },
    async (call) => {
      const { c, world } = call
      const { subject: _, ...page } = call.query
      const secrets = await listSecrets(ownerOf(call, call.query))
      const data = secrets.map((secret) => ({ at: secret.name, item: secretView(secret) }))
      return c.json(
        await searched(world, 'secrets', page, async (last) => ({
          found: data.filter(({ at }) => last === undefined || at > last),
        })),
      )
    },
  )
  route(
    api,
    {
      id: 'getSecret',
      method: 'get',
      path: '/v1/secrets/{name}',
      params,
      tag,
      summary: 'Get a secret',
      description: 'Without its value. The audit log records the request.',
      scope: 'secrets:read',
      query,
      refusals: [400],
      answers: { 200: { description: 'The secret', schema: Secret } },
    },
    async (call) => {
      const secret = granted(await getSecret(ownerOf(call, call.query), nameOf(call)))
      return call.c.json(secretView(secret), 200, { etag: `"${secret.version}"` })
    },
  )
}

function resealRoute(api: Api): void {
  route(
    api,
    {
      id: 'resealSecrets',
      method: 'post',
      path: '/v1/secrets/reseal',
      tag,
      summary: 'Encrypt all sealed data again',
      description:
        "Encrypts the tenant's secrets, the signing secrets of endpoints, hooks, schedules, and " +
        'active runs, and the authorizations at MCP servers under the current master key. ' +
        'Afterwards, the previous master key can be removed once the data in `left` has ' +
        'expired. Repeating the request is safe.',
      scope: 'secrets:write',
      answers: { 200: { description: 'The result', schema: Resealed } },
    },
    async ({ c, world, tenant, by }) => {
      const result = await reseal({ world, tenant, by })
      return c.json({ object: 'reseal' as const, ...result, left: LEFT })
    },
  )
}
