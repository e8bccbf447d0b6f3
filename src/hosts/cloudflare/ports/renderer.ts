/** The renderer of `/docs` from the assets that were deployed with the Worker. */

import { RENDERER } from '../../../http/docs/page.ts'
import type { Renderer } from '../../../http/routes/docs.ts'
import type { AssetsBinding } from '../bindings/bindings.ts'

/** Undefined where the deployment binds no assets. */
export function assetRenderer(assets: AssetsBinding | undefined): Renderer | undefined {
  if (!assets) return undefined
  return async () => {
    const { ok, status, body } = await assets.fetch(`https://assets.invalid/${RENDERER}`)
    if (!ok || !body) throw new Error(`the asset ${RENDERER} is not there: ${status}`)
    return body
  }
}
