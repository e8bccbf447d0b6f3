/** Selects a run's model at its start, with the fallbacks of its alias, prices, and settings. */

import type { AgentEntry } from '../../../../core/config/types.ts'
import { type ModelSettings, settingsOf } from '../../../../core/model-settings.ts'
import type { Policy } from '../../../../core/policy.ts'
import type { SchemaMeans, SchemaTold } from '../../../../core/run/log/fact-parts.ts'
import type { RunSpec } from '../../../../core/run/log/facts.ts'
import type { Chained, StepModel } from '../../../../core/run/log/models.ts'
import type { inputSize } from '../../../../core/run/prompt/input-size.ts'
import { type Outcome, ok } from '../../../../lib/outcome.ts'
import type { ModelMissing, World } from '../../../../ports/world.ts'
import { findModel, priced, priceRefused } from '../../../tenant/policy.ts'

interface ModelChoice {
  /**
   * Reason why a dollar budget cannot be enforced; undefined if it can, or without such a budget.
   */
  readonly unpriced: string | undefined
  /** Model members of the `run.started` fact. */
  readonly fact: StepModel & Chained & SchemaTold
  readonly settings: ModelSettings | undefined
  /** Selected model and its fallbacks, with their context windows. */
  readonly windows: Parameters<typeof inputSize>[1]
}

/** Default schema support of a model port that declares none. */
const BY_PROMPT: SchemaMeans = { native: false, reason: 'this model has no native schema support' }

export function chooseModel(
  world: World,
  policy: Policy,
  { spec, agent }: { readonly spec: RunSpec; readonly agent: AgentEntry },
  schema: Readonly<Record<string, unknown>> | undefined,
): Outcome<ModelChoice, ModelMissing> {
  const lookup = findModel(world, policy, modelReference(spec, agent), schema)
  if (!lookup.ok) return lookup
  const { id, window, fallbacks = [], settings, structured_output = BY_PROMPT } = lookup.value
  const fallbackModels = fallbacks.map((fallback) => ({
    ...{ model: fallback.id, window: fallback.window },
    ...priced(policy, fallback),
  }))
  return ok({
    unpriced: priceRefused(policy, lookup.value, spec.limits),
    fact: {
      ...{ model: id, window },
      ...priced(policy, lookup.value),
      ...(fallbackModels.length === 0 ? {} : { fallbacks: fallbackModels }),
      ...(schema ? { structured_output } : {}),
    },
    windows: [lookup.value, ...fallbacks],
    settings: settingsOf(spec.model_settings, agent.model_settings, settings),
  })
}

/**
 * Returns the model that the run names, otherwise the agent file's, otherwise the role's alias.
 * Undefined means the default model.
 */
function modelReference(spec: RunSpec, agent: AgentEntry): string | undefined {
  const ownModel = spec.model ?? (agent.model === 'inherit' ? null : agent.model)
  return ownModel ?? agent.model_role ?? spec.inherited_model ?? undefined
}
