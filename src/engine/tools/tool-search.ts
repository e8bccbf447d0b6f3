/**
 * `tool_search`: finds the deferred tools that match a query; the model can use these tools from
 * then on.
 */

import { LIMITS } from '../../core/limits.ts'
import type { ToolSpec } from '../../core/message.ts'
import { toolSearch as tool } from '../../core/tools/builtin/tool-search.ts'
import { deferredTools } from '../../core/tools/deferred-tools.ts'
import { ranked } from '../../core/tools/tool-ranking.ts'
import { byteLength } from '../../lib/bytes.ts'
import { jsonVisible } from '../../lib/invisible-characters.ts'
import { good, type ToolAnswer } from './answer.ts'
import { type Caller, performed } from './tool.ts'

interface Args {
  readonly query: string
  readonly limit?: number
}

const USUAL = 5

export const toolSearch = performed(tool, {
  perform: async ({ pin }: Caller, { query, limit }: Args): Promise<ToolAnswer> => {
    const tools = deferredTools(pin)
    const { tools: all, unknown } = ranked({ tools, routes: pin.routes }, query)
    // A query that consists of tool names selects all of those tools.
    const most = limit ?? (unknown.length + all.length > 0 && isSelection(query) ? MOST : USUAL)
    const matches = all.slice(0, most)
    const answer = {
      tools: withinBytes(matches),
      ...(all.length > matches.length ? { more: all.length - matches.length } : {}),
      ...(unknown.length > 0 ? { unknown } : {}),
      ...(all.length === 0 ? { note: `none of ${tools.length} tools match` } : {}),
    }
    return { ...good(jsonVisible(JSON.stringify(answer))), found: matches.map(({ name }) => name) }
  },
})

const MOST = LIMITS.tool_search_results
const isSelection = (query: string): boolean => /^\s*select:/i.test(query)

/** Returns tool schemas up to the byte limit; the next step includes all found tools' schemas. */
function withinBytes(specs: readonly ToolSpec[]): object[] {
  let remaining = LIMITS.tool_search_bytes
  return specs.map((spec) => {
    remaining -= byteLength(JSON.stringify(spec))
    if (remaining >= 0) return spec
    const { name, description } = spec
    return { name, description: description.slice(0, SHORT), schema: 'shown with the tool' }
  })
}

const SHORT = 300
