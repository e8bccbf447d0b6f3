/** Prints the console's URL when a server starts. */

import { adminKey, keyOf } from '../engine/tenant/api-keys.ts'
import { createSignInLink } from '../engine/tenant/sign-in-links.ts'
import { builtAssets } from '../hosts/node/assets.ts'
import { sourceAssets } from '../hosts/node/source-assets.ts'
import type { NodeHost } from '../hosts/node.ts'

/**
 * Returns the startup line about the console: a single-use sign-in link made with the deployment's
 * own key. Without `isLinked`, or if that key is unknown, returns the URL of the sign-in page. If
 * the console is not built, returns the build command.
 */
export async function consoleLine(host: NodeHost, isLinked: boolean): Promise<string> {
  const assets = builtAssets() ?? sourceAssets(() => [])
  if ((await assets('console/index.html.gz')) === undefined) return 'not built; run npm run build'
  const { world } = host
  const url = `${world.settings.publicUrl ?? host.url}/console`
  if (!isLinked) return `${url} (sign in with an API key, or with a link from strata console)`
  try {
    const key = await ownKey(host)
    if (!key) return `${url} (sign in with an API key)`
    const { tenant, key_id: by, scopes } = key
    const link = await createSignInLink({ world, tenant, by, scopes }, {})
    return link.ok ? `${url}/sign-in#t=${link.value.token}` : `${url} (${link.error.detail})`
  } catch (error) {
    // A storage failure must not prevent the server from starting.
    return `${url} (could not create a sign-in link: ${(error as Error).message})`
  }
}

const ownKey = ({ world, adminKey: hostKey }: NodeHost) =>
  hostKey === undefined ? adminKey(world) : keyOf(world, hostKey)
