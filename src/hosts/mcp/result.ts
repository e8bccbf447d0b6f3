/** Turns an MCP server's answers into text for a model: tools, and the text of a result. */

import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { byteLength, cut } from '../../lib/bytes.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { exceeds } from '../../lib/shape.ts'
import type { RemoteTool, ToolOutcome } from '../../ports/world.ts'
import { CUT_MARKER } from './string-cutter.ts'

const RESULT_DEPTH = 500

/** The tools of a list as the port shows them; a sentence when the list cannot be used at all. */
export function remoteTools(tools: readonly Tool[]): Outcome<readonly RemoteTool[], string> {
  const seen = new Map<string, RemoteTool>()
  for (const tool of tools) {
    // A schema that points elsewhere would have to be fetched from there to be checked.
    if (pointsElsewhere(tool.inputSchema)) {
      return fail(`the schema of the tool "${tool.name}" refers to another document`)
    }
    if (!seen.has(tool.name)) seen.set(tool.name, remoteTool(tool))
  }
  return ok([...seen.values()])
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']

/** Without recursion: nobody has looked yet how deep it is. */
function pointsElsewhere(schema: unknown): boolean {
  const open = [schema]
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null) continue
    for (const [key, value] of Object.entries(node)) {
      const names = REFERENCES.includes(key) && typeof value === 'string'
      if (names && !value.startsWith('#')) return true
      open.push(value)
    }
  }
  return false
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
  const shown = text === '' && structured !== undefined ? written(structured) : text
  return { text: bounded(shown), is_error: result.isError === true }
}

/** Data that is nested without end cannot be written by the engine, nor read by a model. */
const written = (data: unknown): string =>
  exceeds(data, { depth: RESULT_DEPTH })
    ? `[left out: data of more than ${RESULT_DEPTH} levels]`
    : JSON.stringify(data)

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

function base64Bytes(data: string): number {
  const filled = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor(((data.length - filled) * 3) / 4)
}

/** At most `LIMITS.tool_result_bytes`, the marker included; without NUL, which stores refuse. */
export function bounded(text: string): string {
  const clean = text.replaceAll('\u0000', '\ufffd')
  const size = byteLength(clean)
  if (size <= LIMITS.tool_result_bytes) return clean
  const [, whole = size] = CUT_MARKER.exec(clean) ?? []
  const marker = `\n[cut: the whole result has ${whole} bytes]`
  return cut(clean, LIMITS.tool_result_bytes - byteLength(marker)) + marker
}
