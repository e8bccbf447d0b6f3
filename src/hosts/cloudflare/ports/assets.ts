/** Static files deployed with the Worker. */

import type { Assets } from '../../../http/assets.ts'
import type { AssetsBinding } from '../bindings/bindings.ts'

/** Returns the deployed static files; without an assets binding, every file is missing. */
export function boundAssets(assets: AssetsBinding | undefined): Assets {
  return async (name) => {
    const answer = await assets?.fetch(`https://assets.invalid/${name}`)
    if (answer === undefined || answer.status === 404) return undefined
    if (!answer.ok || !answer.body)
      throw new Error(`asset ${name} returned status ${answer.status}`)
    return answer.body
  }
}
