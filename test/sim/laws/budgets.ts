/** Budgets of runs, fan-outs and pages, each with all that lives below it. */

import { CALL_USD } from '../actors/actors.ts'
import type { Sim } from '../world/sim.ts'

const CALL_TOKENS = 110
const NONE = { calls: 0, tokens: 0 }

/** No more model calls than were allowed; of tokens and dollars, one call more in the whole tree. */
export function I16_budgetsAreKept(sim: Sim): void {
  const { runs, fanouts } = sim.law
  const spent = new Map<string, { readonly calls: number; readonly tokens: number }>()
  const specOf = (partition: string) =>
    runs.get(partition)?.spec ?? fanouts.byPartition.get(partition)?.spec
  for (const run of runs.values()) {
    const own = { ...NONE }
    for (const fact of run.facts) {
      if (fact.type !== 'assistant.message' && fact.type !== 'transcript.compacted') continue
      own.calls += fact.usage.model_calls
      own.tokens += fact.usage.input_tokens + fact.usage.output_tokens
    }
    const [tenant] = run.partition.split('/')
    for (let at: string | undefined = run.partition; at; ) {
      const { calls, tokens } = spent.get(at) ?? NONE
      spent.set(at, { calls: calls + own.calls, tokens: tokens + own.tokens })
      const above: string | undefined = specOf(at)?.parent?.run_id
      const kind: string = above?.startsWith('fan_') ? 'fanout' : 'run'
      at = above && `${tenant}/${kind}/${above}`
    }
  }
  for (const [partition, sum] of spent) isKept(sim, partition, specOf(partition)?.limits, sum)
}

interface Limits {
  readonly max_model_calls?: number | null | undefined
  readonly max_tokens?: number | null | undefined
  readonly max_cost_usd?: number | null | undefined
}

function isKept(
  sim: Sim,
  partition: string,
  { max_model_calls, max_tokens, max_cost_usd }: Limits = {},
  { calls, tokens }: typeof NONE,
): void {
  const breach = (what: string) => sim.law.breach('I16_budgetsAreKept', `${partition}: ${what}`)
  if (calls > (max_model_calls ?? calls)) breach(`${calls} of ${max_model_calls} calls`)
  if (tokens > (max_tokens ?? tokens) + CALL_TOKENS) breach(`${tokens} of ${max_tokens} tokens`)
  if (max_tokens != null && partition.includes('/fanout/')) sim.rare('a budget of a fan-out')
  if (max_cost_usd == null) return
  sim.rare('a budget of dollars')
  const dollars = (tokens / CALL_TOKENS) * CALL_USD
  if (dollars > max_cost_usd + CALL_USD + 1e-9) breach(`${dollars} of ${max_cost_usd} dollars`)
}
