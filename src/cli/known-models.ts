/** Models that the deployment of this environment knows, where STRATA_PROVIDERS names its providers. */

import { modelConfigFromEnv } from '../hosts/models/config.ts'
import { findModel } from '../hosts/models/find.ts'
import { withProviders } from '../hosts/node/options.ts'
import type { Environment } from './terminal.ts'

/** Returns why a model is not known, as a sentence; undefined: it is. */
export function modelLackIn(env: Environment): (reference: string) => string | undefined {
  const config = modelConfigFromEnv(withProviders(env), { role: true })
  return (reference) => {
    const model = findModel(config, reference)
    if (!model.ok) return model.error.message
    return model.value.guessed ? 'It is neither an alias nor provider/model.' : undefined
  }
}
