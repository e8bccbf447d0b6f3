/** The tenant's policy. */

import { readPolicy, writePolicy } from '../../engine/tenant/policy.ts'
import { conditions, expectation } from '../conditions.ts'
import { refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { Policy, PolicyInput } from '../schemas/policy.ts'

/** The version of the row; `"0"` while the tenant has set nothing. */
const etagOf = (version: number | null) => ({ etag: `"${version ?? 0}"` })

export function policyRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getPolicy',
      method: 'get',
      path: '/v1/policy',
      tag: 'Policy',
      summary: 'Read the policy',
      description: 'The limits that the tenant sets to all its layers. `PUT` needs its etag.',
      scope: 'policy:read',
      answers: { 200: { description: 'The policy', schema: Policy } },
    },
    async ({ c, world, tenant }) => {
      const { policy, version } = await readPolicy(world, tenant)
      return c.json(policy, 200, etagOf(version))
    },
  )
  route(
    api,
    {
      id: 'putPolicy',
      method: 'put',
      path: '/v1/policy',
      tag: 'Policy',
      summary: 'Replace the policy',
      description:
        'Needs `If-Match` with the etag that was read: 428 without, 412 when it changed. Answered ' +
        'when it counts for every run that is asked for afterwards: on Workers half a second ' +
        'after it was written.',
      scope: 'policy:write',
      headers: conditions,
      body: PolicyInput,
      refusals: [428],
      answers: { 200: { description: 'The policy as it now is', schema: Policy } },
    },
    async ({ c, world, tenant, by, body }) => {
      const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
      if (expect === 'any') throw refuse('precondition_required', 'Send `If-Match`.')
      const version = expect === 'absent' ? 0 : Number(expect.etag)
      const known = Number.isSafeInteger(version) && version >= 0
      const written = known
        ? await writePolicy(world, tenant, body, version === 0 ? null : version, by)
        : undefined
      if (!written) throw refuse('precondition_failed', 'The policy is not as you have read it.')
      return c.json(written.policy, 200, etagOf(written.version))
    },
  )
}
