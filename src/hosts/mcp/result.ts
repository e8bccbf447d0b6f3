/** Turns an MCP server's answers into text for a model: tools, and the text of a result. */

import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { LIMITS } from '../../core/limits.ts'
import { type Media, markOf, mediaTypeOf } from '../../core/media.ts'
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
  ...(tool.annotations?.readOnlyHint === true ? { read_only: true } : {}),
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

/**
 * Text parts joined by newlines; other parts named in brackets, with their bytes where a model may
 * take them; cut at the limit.
 */
export function toolOutcome(result: CallToolResult): ToolOutcome {
  const media: Media[] = []
  const text = (result.content ?? []).map((part) => shownPart(part, media)).join('\n')
  const structured = result.structuredContent
  const shown = text === '' && structured !== undefined ? written(structured) : text
  const is_error = result.isError === true
  return { text: bounded(shown), is_error, ...(media.length === 0 ? {} : { media }) }
}

/** Data that is nested without end cannot be written by the engine, nor read by a model. */
const written = (data: unknown): string =>
  exceeds(data, { depth: RESULT_DEPTH })
    ? `[left out: data of more than ${RESULT_DEPTH} levels]`
    : JSON.stringify(data)

type Part = CallToolResult['content'][number]

function shownPart(part: Part, media: Media[]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return taken(part.data, {}, media) ?? `[${part.type}: ${about(part.mimeType, part.data)}]`
    case 'resource_link':
      return `[resource: ${part.uri}${part.description ? `, ${part.description}` : ''}]`
    case 'resource': {
      const { resource } = part
      if ('text' in resource) return `[resource: ${resource.uri}]\n${resource.text}`
      const { uri, mimeType = 'unknown type', blob } = resource
      const name = uri.slice(uri.lastIndexOf('/') + 1)
      return taken(blob, { name }, media) ?? `[resource: ${uri}, ${about(mimeType, blob)}]`
    }
  }
}

/** Keeps what models take and names it; undefined: it is something else, or too much. */
function taken(
  base64: string,
  about: { readonly name?: string },
  media: Media[],
): string | undefined {
  if (CUT_MARKER.test(base64) || media.length >= LIMITS.media_parts) return undefined
  const room = media.reduce((left, { data }) => left - data.length, LIMITS.media_bytes)
  if (base64Bytes(base64) > room) return undefined
  const data = new Uint8Array(Buffer.from(base64, 'base64'))
  const media_type = mediaTypeOf(data)
  if (media_type === undefined) return undefined
  const one = { media_type, ...about, data }
  media.push(one)
  return markOf(one)
}

/** The bytes that are not shown; of a text that was cut while it was read, as many as it had. */
function about(type: string, base64: string): string {
  const [, whole] = CUT_MARKER.exec(base64) ?? []
  const bytes = whole === undefined ? base64Bytes(base64) : Math.floor((Number(whole) * 3) / 4)
  return `${type}, ${bytes} bytes, not shown`
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
