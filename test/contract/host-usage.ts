/** Usage by agent on every host: kept in the heads of roots, subagents under their own names. */

import { expect } from 'vitest'
import type { Client } from '../support/launch.ts'
import { eventually } from './store/kit.ts'

interface Sum {
  readonly name?: string | null
  readonly usage: { readonly model_calls: number; readonly input_tokens: number }
}
interface Report {
  readonly total: Sum
  readonly groups: readonly Sum[]
}
interface Run {
  readonly id: string
  readonly status: string
  readonly usage_by?: readonly { readonly agent: string; readonly usage: Sum['usage'] }[]
}

export async function sumsUsage(client: Client): Promise<void> {
  const below = JSON.stringify({ task: '@say below', agent: 'explore' })
  const input = `@spawn 1 ${below}\n@await\n@say both`
  const { id } = await client.get<Run>('/v1/runs', { method: 'POST', json: { input } })
  await eventually(async () => {
    const run = await client.get<Run>(`/v1/runs/${id}`)
    expect(run).toMatchObject({ status: 'completed' })
    expect(run.usage_by?.map(({ agent }) => agent)).toEqual(['general', 'explore'])
  })
  await eventually(async () => {
    const { groups, total } = await client.get<Report>('/v1/usage?by=agent')
    const explored = groups.find(({ name }) => name === 'explore')
    expect(explored?.usage.model_calls).toBeGreaterThan(0)
    for (const name of ['model_calls', 'input_tokens'] as const)
      expect(groups.reduce((sum, one) => sum + one.usage[name], 0)).toBe(total.usage[name])
  })
}
