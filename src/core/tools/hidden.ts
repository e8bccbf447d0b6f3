/**
 * Tools whose texts hide something: characters that no person sees and a model reads. The model is
 * shown them written out; whoever starts a run or tests the server is warned.
 */

import { describeHidden, hiddenIn, quoted } from '../../lib/visible.ts'
import type { ServerTool } from './toolset.ts'

/** A sentence for each such tool. */
export function hiddenTools(
  server: string,
  tools: readonly Pick<ServerTool, 'name' | 'description' | 'input_schema'>[],
): string[] {
  return tools.flatMap(({ name, description, input_schema }) => {
    const found = hiddenIn(`${name}\n${description}\n${textsIn(input_schema)}`)
    if (!found) return []
    return [`MCP server ${server}: the tool ${quoted(name, 80)} has ${describeHidden(found)}`]
  })
}

/** Every text of a schema, names included, as it is. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, one]) => `${key} ${textsIn(one)}`)
    .join(' ')
}
