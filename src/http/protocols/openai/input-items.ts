/** Lists a turn's input as OpenAI items: the run's input, or the results sent to the run. */

import type { Body } from '../../../core/message.ts'
import { homeOfRun } from '../../../engine/partition/home.ts'
import { load } from '../../../engine/tenant/blobs.ts'
import type { World } from '../../../ports/world.ts'
import { refuse } from '../../request/problem.ts'
import type { TurnView } from '../../turn/view.ts'
import { callName, itemName, messageId } from './ids.ts'

interface ItemsQuery {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly after?: string | undefined
}
interface Item {
  readonly id: string
}

export async function inputItems(
  world: World,
  tenant: string,
  view: TurnView,
  { limit, order, after }: ItemsQuery,
) {
  const oldest = await itemsOf(world, tenant, view)
  const all = order === 'asc' ? oldest : oldest.toReversed()
  const place = after === undefined ? -1 : all.findIndex(({ id }) => id === after)
  if (after !== undefined && place < 0) throw refuse('invalid_query', `Item ${after} not found.`)
  const data = all.slice(place + 1, place + 1 + limit)
  const has_more = all.length > place + 1 + data.length
  const [first] = data
  const last = data.at(-1)
  return { object: 'list', data, first_id: first?.id ?? null, last_id: last?.id ?? null, has_more }
}

async function itemsOf(world: World, tenant: string, view: TurnView): Promise<Item[]> {
  const { run, state, facts } = view
  const read = (body: Body): Promise<string> => load(world, homeOfRun(tenant, state.spec), body)
  const textItem = (id: string, role: 'user' | 'assistant', text: string) => {
    const type = role === 'user' ? 'input_text' : 'output_text'
    return { id, type: 'message', role, status: 'completed', content: [{ type, text }] }
  }
  const items: Item[] = []
  for (const { seq, fact } of facts) {
    if (fact.type === 'run.created') {
      for (const [index, { role, text }] of fact.run.input.entries())
        items.push(textItem(messageId(run, `in_${index}`), role, await read(text)))
    }
    if (fact.type === 'message.received')
      items.push(textItem(messageId(run, `in_${seq}`), 'user', await read(fact.text)))
    const call = fact.type === 'tool.result' ? state.calls.get(fact.call) : undefined
    if (fact.type !== 'tool.result' || call?.mode !== 'caller') continue
    const { step, index } = call
    const name = { run, step, index }
    items.push({
      ...{ id: `${itemName(name)}_out`, type: 'function_call_output', call_id: callName(name) },
      ...{ output: await read(fact.text), status: 'completed' },
    } as Item)
  }
  return items
}
