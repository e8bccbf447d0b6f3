/** What an MCP server says, as what a model can read: tools, and the text of a result. */

import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { RemoteTool, ToolOutcome } from '../../ports/world.ts'

const TOOLS = 1_000
const LIST_BYTES = 2_097_152

/** The tools of a list as the port shows them; a sentence when the list cannot be used at all. */
export function remoteTools(tools: readonly Tool[]): Outcome<readonly RemoteTool[], string> {
  if (tools.length > TOOLS) return fail(`the server lists more than ${TOOLS} tools`)
  const seen = new Map<string, RemoteTool>()
  let bytes = 0
  for (const tool of tools) {
    const schema = JSON.stringify(tool.inputSchema)
    bytes += schema.length + (tool.description?.length ?? 0)
    // A schema that points elsewhere would have to be fetched from there to be checked.
    if (/"\$(ref|dynamicRef|recursiveRef)":"(?!#)/.test(schema)) {
      return fail(`the schema of the tool "${tool.name}" refers to another document`)
    }
    if (!seen.has(tool.name)) seen.set(tool.name, remoteTool(tool))
  }
  if (bytes > LIST_BYTES) return fail(`the server's tool list is larger than ${LIST_BYTES} bytes`)
  return ok([...seen.values()])
}

const remoteTool = (tool: Tool): RemoteTool => ({
  name: tool.name,
  description: tool.description ?? tool.title ?? '',
  input_schema: tool.inputSchema,
  repeatable: tool.annotations?.readOnlyHint === true || tool.annotations?.idempotentHint === true,
})

/**
 * Whether the server entry's lists allow a tool; deny wins. Entries may be written with the
 * server's name in front (`server__tool`, `mcp__server__tool`), as other programs do.
 */
export function isEnabled(server: ServerEntry, tool: string): boolean {
  const names = [tool, `${server.name}__${tool}`, `mcp__${server.name}__${tool}`]
  const listed = (list: readonly string[]) => names.some((name) => list.includes(name))
  if (listed(server.disabled_tools)) return false
  return server.enabled_tools === null || listed(server.enabled_tools)
}

/** Text parts joined by newlines; other parts described in brackets; cut at the limit. */
export function toolOutcome(result: CallToolResult): ToolOutcome {
  const text = (result.content ?? []).map(describe).join('\n')
  const structured = result.structuredContent
  const shown = text === '' && structured !== undefined ? JSON.stringify(structured) : text
  return { text: bounded(shown), is_error: result.isError === true }
}

type Part = CallToolResult['content'][number]

function describe(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type}: ${part.mimeType}, ${base64Bytes(part.data)} bytes]`
    case 'resource_link':
      return `[resource: ${part.uri}${part.description ? `, ${part.description}` : ''}]`
    case 'resource': {
      const { resource } = part
      if ('text' in resource) return `[resource: ${resource.uri}]\n${resource.text}`
      const kind = resource.mimeType ?? 'unknown type'
      return `[resource: ${resource.uri}, ${kind}, ${base64Bytes(resource.blob)} bytes]`
    }
  }
}

const base64Bytes = (data: string): number => Math.floor((data.replace(/=+$/, '').length * 3) / 4)

/** At most `LIMITS.tool_result_bytes`, the marker included; without NUL, which stores refuse. */
export function bounded(text: string): string {
  const clean = text.replaceAll('\u0000', '\ufffd')
  const size = byteLength(clean)
  if (size <= LIMITS.tool_result_bytes) return clean
  const marker = `\n[cut: the whole result has ${size} bytes]`
  return cut(clean, LIMITS.tool_result_bytes - byteLength(marker)) + marker
}
