/** Secrets of the tenant: put, listed without their values, deleted. */

import * as z from 'zod'
import { keyWarnings, SECRET_NAME, type SecretFacts, secretWarnings } from '../../core/secret.ts'
import { LEFT, reseal } from '../../engine/reseal.ts'
import {
  deleteSecret,
  type Expected,
  getSecret,
  listSecrets,
  putSecret,
} from '../../engine/tenant/manage-secrets.ts'
import { slotsOf } from '../../engine/tenant/provider-keys.ts'
import { conditions, expectation, ifMatch } from '../conditions.ts'
import { granted, refuse } from '../problem.ts'
import { type Api, type Call, type Route, route } from '../route.ts'
import { list, NoBody } from '../schemas/common.ts'
import { Reseal, Secret, SecretInput, SecretPut } from '../schemas/secrets.ts'

const params = { name: 'The secret: `^[A-Za-z_][A-Za-z0-9_]{0,127}$`' }
const tag = 'Secrets'
const SOON = 'In other processes it counts from at most 30 seconds later on.'

export function secretRoutes(api: Api): void {
  write(api)
  read(api)
  sealAnew(api)
}

type SecretCall = Pick<Call<Route>, 'c' | 'world' | 'tenant' | 'by'>

function nameOf({ c }: SecretCall): string {
  const name = c.req.param('name') ?? ''
  if (SECRET_NAME.test(name)) return name
  const detail = 'A secret is named like a variable: a letter or _, then letters, digits and _.'
  throw refuse('invalid_key', detail)
}

function expectedOf({ c }: SecretCall): Expected {
  const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
  if (expect === 'any') return undefined
  if (expect === 'absent') return 'absent'
  // What is no version is that of no secret.
  return /^\d{1,15}$/.test(expect.etag) ? Number(expect.etag) : 0
}

const shown = ({ name, version, hosts, uses, created_at, updated_at }: SecretFacts) => ({
  object: 'secret' as const,
  name,
  version,
  hosts: hosts ?? [],
  any_host: hosts === null,
  uses,
  created_at,
  updated_at,
})

function write(api: Api): void {
  route(
    api,
    {
      id: 'putSecret',
      method: 'put',
      path: '/v1/secrets/{name}',
      params,
      tag,
      summary: 'Keep a secret',
      description:
        'Sealed at rest and never shown. Each put is a new version, and the value before it is ' +
        `dropped. A secret of this name of the deployment is hidden by it. With the use \`model\` ` +
        'or `search` it goes before the deployment’s key of that name, such as OPENAI_API_KEY or ' +
        `BRAVE_API_KEY, in calls for this tenant. ${SOON}`,
      scope: 'secrets:write',
      headers: conditions,
      body: SecretInput,
      refusals: [400, 412, 429],
      answers: {
        200: { description: 'Replaced', schema: SecretPut },
        201: { description: 'Made', schema: SecretPut, headers: ['Location'] },
      },
    },
    async (call) => {
      const { c, world, tenant, by, body } = call
      const name = nameOf(call)
      const put = await putSecret({ world, tenant, by }, name, body, expectedOf(call))
      const { secret, created } = granted(put)
      const warnings = [
        ...secretWarnings(body.value, secret.hosts),
        ...keyWarnings(secret, slotsOf(world)),
      ]
      const answer = { ...shown(secret), warnings }
      const etag = `"${secret.version}"`
      return created
        ? c.json(answer, 201, { etag, location: `/v1/secrets/${name}` })
        : c.json(answer, 200, { etag })
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
      description: `One of the deployment with this name counts again. ${SOON}`,
      scope: 'secrets:write',
      headers: z.object({ 'if-match': ifMatch() }),
      refusals: [400, 412],
      answers: { 204: { description: 'Deleted' } },
    },
    async (call) => {
      const { world, tenant, by } = call
      granted(await deleteSecret({ world, tenant, by }, nameOf(call), expectedOf(call)))
      return call.c.body(null, 204)
    },
  )
}

function read(api: Api): void {
  route(
    api,
    {
      id: 'listSecrets',
      method: 'get',
      path: '/v1/secrets',
      tag,
      summary: 'List secrets, by name',
      description:
        'All of them, without values; those of the deployment are not among them. The audit says ' +
        'who has read the names.',
      scope: 'secrets:read',
      answers: { 200: { description: 'Found', schema: list(Secret) } },
    },
    async ({ c, world, tenant, by }) => {
      const found = await listSecrets({ world, tenant, by })
      return c.json({ data: found.map(shown), has_more: false, next_cursor: null })
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
      summary: 'Look at a secret',
      description: 'Without its value, which no answer shows.',
      scope: 'secrets:read',
      refusals: [400],
      answers: { 200: { description: 'Found', schema: Secret } },
    },
    async (call) => {
      const { world, tenant, by } = call
      const found = granted(await getSecret({ world, tenant, by }, nameOf(call)))
      return call.c.json(shown(found), 200, { etag: `"${found.version}"` })
    },
  )
}

function sealAnew(api: Api): void {
  route(
    api,
    {
      id: 'resealSecrets',
      method: 'post',
      path: '/v1/secrets/reseal',
      tag,
      summary: 'Seal all that is sealed anew',
      description:
        'After the master key was exchanged: secrets of the tenant, of endpoints, hooks and ' +
        'schedules. Safe to repeat. The answer says what is left before the old key may go.',
      scope: 'secrets:write',
      body: NoBody,
      bodyOptional: true,
      answers: { 200: { description: 'Done', schema: Reseal } },
    },
    async ({ c, world, tenant, by }) => {
      const done = await reseal({ world, tenant, by })
      return c.json({ object: 'reseal', ...done, left: LEFT })
    },
  )
}
