/** Builds MCP tool results; a rejection becomes a result with the REST API's code and text. */

import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Outcome } from '../../../lib/outcome.ts'
import type { Problem } from './ask.ts'

type ProblemInfo = Pick<Problem, 'code' | 'detail'> & { readonly errors?: unknown }

export function resultOf(result: Outcome<object, ProblemInfo>): CallToolResult {
  if (!result.ok) {
    const { code, detail, errors } = result.error
    return failure(JSON.stringify({ success: false, code, error: detail, errors }))
  }
  const content = { success: true, ...result.value }
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: content,
  }
}

export const failure = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})
