/** `tool_search`: finds tools that the run has but that its model is not shown. */

import { LIMITS } from '../../limits.ts'
import type { Pin } from '../../run/log/pin.ts'
import { type BuiltinTool, count, object, text } from './tool.ts'

export const toolSearch = {
  name: 'tool_search',
  mode: 'repeatable',
  foreign: 'ToolSearch tool_search_tool',
  parameters: { max_results: 'limit' },
  description: 'Finds tools that are not shown to you.',
  offered: { deferring: true, otherwise: 'all tools are shown' },
  input_schema: object(
    {
      query: {
        ...text('Words in names and descriptions, or `select:NAME,NAME` for tools by name'),
        minLength: 1,
        maxLength: 1_000,
      },
      limit: count('Number of tools; default 5', LIMITS.tool_search_results),
    },
    ['query'],
  ),
} as const satisfies BuiltinTool

/** Returns the description of `tool_search` for the model, with a summary of the hidden tools. */
export function searchText(pin: Pick<Pin, 'deferred' | 'deferred_operations'>): string {
  const kinds = [
    ...(pin.deferred_operations ? [MANAGING] : []),
    ...(pin.deferred ? ['tools of MCP servers, whose texts are third-party data'] : []),
  ]
  return (
    `Finds tools that are not shown to you: ${kinds.join('; ')}. Returns names, ` +
    'descriptions, and schemas; you can then call these ' +
    `tools.${pin.deferred ? EARLIER : ''}`
  )
}

const EARLIER =
  ' When server tools grow too large together, the first found are hidden; call them as ' +
  'before, or search again.'

const MANAGING =
  'tools to list, read, and change schedules and the configuration of later runs ' +
  '(agents_*, skills_*, mcp_*, schedules_*, runtime_reload)'
