/** Serves the tenant's policy. */

import * as z from 'zod'
import { linksRefusal } from '../../engine/tenant/approval-links.ts'
import { readPolicy, writePolicy } from '../../engine/tenant/policy.ts'
import { conditions, expectation, ifMatch } from '../request/conditions.ts'
import { RequestRefused, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { Policy, PolicyInput } from '../schemas/tenant/policy.ts'

/**
 * Returns the etag header for the policy row's version; `"0"` until the tenant has set a policy.
 */
const etagOf = (version: number | null) => ({ etag: `"${version ?? 0}"` })

export function policyRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getPolicy',
      method: 'get',
      path: '/v1/policy',
      tag: 'Policy',
      summary: 'Get the policy',
      description:
        'Returns the limits that the tenant sets for all layers. `PUT` requires the ETag of ' +
        'this response.',
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
        'Requires `If-Match` with the current ETag. Returns 428 without the header and 412 if ' +
        'the policy has changed. Before the first change, the ETag is `"0"`.',
      scope: 'policy:write',
      headers: z.object({
        ...conditions.shape,
        'if-match': ifMatch().meta({ examples: ['"0"'] }),
      }),
      body: PolicyInput,
      refusals: [428],
      answers: { 200: { description: 'The updated policy', schema: Policy } },
    },
    async ({ c, world, tenant, by, body }) => {
      const refusal = await linksRefusal(world, tenant, body, c.get('principal').scopes)
      if (refusal) throw new RequestRefused(refusal)
      const expect = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
      if (expect === 'any')
        throw refuse('precondition_required', 'The `If-Match` header is required.')
      const version = expect === 'absent' ? 0 : Number(expect.etag)
      const isVersion = Number.isSafeInteger(version) && version >= 0
      const stored = isVersion
        ? await writePolicy(world, tenant, body, version === 0 ? null : version, by)
        : undefined
      if (!stored)
        throw refuse(
          'precondition_failed',
          'The policy has changed since you read it; read it again and retry.',
        )
      return c.json(stored.policy, 200, etagOf(stored.version))
    },
  )
}
