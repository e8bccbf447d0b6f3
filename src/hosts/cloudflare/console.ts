/** The files of the console from the assets that were deployed with the Worker. */

import type { ConsoleFiles } from '../../http/routes/console.ts'
import type { AssetsBinding } from './bindings.ts'

/** Undefined where the deployment binds no assets; Cloudflare compresses what it sends. */
export function assetConsole(assets: AssetsBinding | undefined): ConsoleFiles | undefined {
  if (!assets) return undefined
  return {
    async read(name) {
      const { ok, body } = await assets.fetch(`https://assets.invalid/console/${name}`)
      return ok && body ? { body } : undefined
    },
  }
}
