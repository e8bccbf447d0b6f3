/** Prints the console's line when a server starts. */

import { adminKey, keyOf } from '../engine/tenant/api-keys.ts'
import { createSignInLink } from '../engine/tenant/sign-in-links.ts'
import { builtAssets } from '../hosts/node/assets.ts'
import { sourceAssets } from '../hosts/node/source-assets.ts'
import type { NodeHost } from '../hosts/node.ts'

/**
 * Returns where the console is: a link that signs one browser in, once, with the deployment's own
 * key; without `isLinked`, or where that key is not known any more, the address of the sign-in
 * page; without a built console, the command that builds it.
 */
export async function consoleLine(host: NodeHost, isLinked: boolean): Promise<string> {
  const assets = builtAssets() ?? sourceAssets(() => [])
  if ((await assets('console/index.html.gz')) === undefined)
    return 'not built; npm run build builds it'
  const { world } = host
  const url = `${world.settings.publicUrl ?? host.url}/console`
  if (!isLinked) return `${url} (sign in with an API key, or the link of strata console)`
  try {
    const key = await ownKey(host)
    if (!key) return `${url} (sign in with an API key)`
    const { tenant, key_id: by, scopes } = key
    const link = await createSignInLink({ world, tenant, by, scopes }, {})
    return link.ok ? `${url}/sign-in#t=${link.value.token}` : `${url} (${link.error.detail})`
  } catch (error) {
    // A store failure must not prevent the start.
    return `${url} (no link: ${(error as Error).message})`
  }
}

const ownKey = ({ world, adminKey: hostKey }: NodeHost) =>
  hostKey === undefined ? adminKey(world) : keyOf(world, hostKey)
