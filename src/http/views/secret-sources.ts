/** Shows where the secrets of resolved servers come from, without values. */

import { secretsOf } from '../../core/config/server/secret-binding.ts'
import type { ServerEntry } from '../../core/config/types.ts'
import type { World } from '../../ports/world.ts'

interface SecretSource {
  readonly server: string
  readonly name: string
  readonly source: 'tenant' | 'deployment' | 'none'
}

/** Returns the source of each secret that the enabled servers reference. */
export async function secretSources(
  { secrets }: Pick<World, 'secrets'>,
  tenant: string,
  servers: readonly ServerEntry[],
): Promise<readonly SecretSource[]> {
  const available = await secrets.names(tenant, 'mcp')
  const ofTenant = (await secrets.tenantNames?.(tenant)) ?? new Set()
  const sourceOf = (name: string): SecretSource['source'] => {
    if (!available.has(name)) return 'none'
    return ofTenant.has(name) ? 'tenant' : 'deployment'
  }
  return servers
    .filter(({ enabled }) => enabled)
    .flatMap((server) =>
      namesIn(server).map((name) => ({ server: server.name, name, source: sourceOf(name) })),
    )
}

function namesIn(server: ServerEntry): readonly string[] {
  const client = server.oauth?.client_secret_env_var ?? null
  return [...new Set([...secretsOf(server), ...(client === null ? [] : [client])])]
}
