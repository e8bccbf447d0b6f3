/** What stands in a world before anything can go wrong: files, keys, policies, an endpoint. */

import { DEFAULT_POLICY } from '../../../src/core/policy.ts'
import { DEFAULT_TENANT, tenantPartition } from '../../../src/engine/partition/keys.ts'
import { createKey } from '../../../src/engine/tenant/api-keys.ts'
import { writePolicy } from '../../../src/engine/tenant/policy.ts'
import { createEndpoint } from '../../../src/engine/webhook/endpoint/manage.ts'
import { encode } from '../../../src/lib/bytes.ts'
import { OPERATOR_KEY } from './halts.ts'
import { TENANTS } from './plan.ts'
import { ENDPOINT_URL, type Sim } from './sim.ts'
import type { StoreServer } from './store.ts'

const CONFIG = `[mcp_servers.sim]
url = "https://tools.example/mcp"
startup_timeout_sec = 60
tool_timeout_sec = 200
bearer_token_env_var = "TOKEN"
`
/** What people are asked about. */
export const APPROVALS = { mcp__sim__wire: 'ask' } as const

/** Of the policies: the memory of runs, where they have one. */
export const memoryOf = ({ remembers }: Pick<Sim, 'remembers'>) =>
  ({ scope: remembers ? 'shared' : null, start: false }) as const

/** The row of an active tenant. */
const ROW = {
  ...{ name: null, status: 'active', key_id: '', created_at: '', updated_at: '' },
  ...{ deletion: null, cancels: null, wake_at: null, redeliveries: 0, listed: null },
}

export interface Prepared {
  /** An API key for each tenant. */
  readonly keys: Readonly<Record<string, string>>
  readonly endpoint: Sim['endpoint']
}

/** `listens`: one tenant has an endpoint. */
export async function prepare(sim: Sim, listens: boolean): Promise<Prepared> {
  const world = { ...sim.processes[0]!.world, store: quiet(sim.store) }
  const memory = memoryOf(sim)
  const policy = { ...DEFAULT_POLICY, approvals: APPROVALS, memory }
  const keys: Record<string, string> = {}
  for (const tenant of TENANTS) {
    sim.objects.put(`${tenant}/files/base/.agents/config.toml`, encode(CONFIG), 'any')
    keys[tenant] = (await createKey(world, tenant, ['*'])).key
    await writePolicy(world, tenant, policy, null)
  }
  if (sim.halts) {
    keys[OPERATOR_KEY] = (await createKey(world, DEFAULT_TENANT, ['*'])).key
    for (const tenant of TENANTS) {
      const body = JSON.stringify({ ...ROW, id: tenant })
      await world.store.commit(tenantPartition(tenant), [], { expect: null, body })
    }
  }
  return { keys, endpoint: listens ? await endpoint(world) : undefined }
}

/** One that hears of every end, of one tenant: the other must tell nobody. */
async function endpoint(world: Parameters<typeof createKey>[0]): Promise<Sim['endpoint']> {
  const [tenant] = TENANTS
  const asker = { world, tenant, by: 'sim' }
  const events = ['run.*', 'fanout.*', 'subagent.*']
  const made = await createEndpoint(asker, { url: ENDPOINT_URL, events }, undefined)
  return made.ok ? { tenant, id: made.value.endpoint.id } : undefined
}

/** The store without its network. */
function quiet(server: StoreServer) {
  return {
    read: async (partition: string, after?: string) => server.read(partition, after),
    heads: async (partitions: readonly string[]) => partitions.map((one) => server.head(one)),
    commit: async (...of: Parameters<StoreServer['commit']>) => server.commit(...of),
    due: async (now: number, cursor?: string) => server.due(now, cursor),
    list: async (...of: Parameters<StoreServer['list']>) => server.list(...of),
    find: async (...of: Parameters<StoreServer['find']>) => server.find(...of),
    drop: async (partition: string) => server.drop(partition),
  }
}
