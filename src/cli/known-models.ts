/**
 * Models that a deployment with this environment knows, if STRATA_PROVIDERS names its providers.
 */

import { modelConfigFromEnv } from '../hosts/models/config.ts'
import { findModel } from '../hosts/models/find.ts'
import { withProviders } from '../hosts/node/options.ts'
import type { Environment } from './terminal.ts'

/**
 * Returns a function that explains why a model is unknown, or returns undefined for a known model.
 */
export function modelLackIn(env: Environment): (reference: string) => string | undefined {
  const config = modelConfigFromEnv(withProviders(env), { role: true })
  return (reference) => {
    const model = findModel(config, reference)
    if (!model.ok) return model.error.message
    return model.value.guessed ? 'Use an alias or provider/model.' : undefined
  }
}
