/** Offers run transcripts and layer files as MCP resources, read through their API routes. */

import type { ReadResourceResult, Resource, Server } from '@modelcontextprotocol/server'
import { holds } from '../../../core/scopes.ts'
import { mimeTypeOf } from '../../views/attachments.ts'
import { type Ask, answerOf, fileOf, grantedBy, invalid } from './ask.ts'
import type { Caller } from './caller.ts'

const RUNS = 'strata://runs/'
const FILES = 'strata://files/'
const FILE_ROUTE = '/v1/files/'
const TRANSCRIPT = /^strata:\/\/runs\/([^/?#]+)\/transcript$/
const FILE = /^strata:\/\/files\/([^?#]+)$/

const TEMPLATES = [
  {
    name: 'transcript',
    uriTemplate: `${RUNS}{id}/transcript`,
    description: 'The messages of a run',
    mimeType: 'application/json',
  },
  {
    name: 'file',
    uriTemplate: `${FILES}{+path}`,
    description: 'A file in a layer or workspace, e.g. base/AGENTS.md',
  },
]

export function serveResources(server: Server, caller: Caller): void {
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }))
  server.setRequestHandler('resources/list', ({ params }, { mcpReq }) =>
    listResources(caller, params?.cursor, mcpReq.signal),
  )
  server.setRequestHandler('resources/read', ({ params }, { mcpReq }) =>
    read(caller.ask, params.uri, mcpReq.signal),
  )
}

type Part = 'runs' | 'files'
/** Kinds of MCP resources in listing order, each with the scope that listing requires. */
const PARTS: readonly (readonly [Part, string])[] = [
  ['runs', 'runs:read'],
  ['files', 'config:raw'],
]
const CURSOR = /^(runs|files):(.*)$/s

/**
 * Lists transcripts, newest first, and then files by path. Each kind is listed only if the key's
 * scopes allow it.
 */
async function listResources(
  { ask, scopes }: Caller,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const parts = PARTS.filter(([, scope]) => holds(scopes, scope)).map(([part]) => part)
  // If the key has neither scope, the route reports the missing scope.
  const [, part = parts[0] ?? 'runs', place = ''] = CURSOR.exec(cursor ?? '') ?? []
  if (cursor !== undefined && !CURSOR.test(cursor)) {
    throw invalid('invalid_cursor', 'The cursor does not belong to this list.')
  }
  const query = place === '' ? {} : { cursor: place }
  const answer = await answerOf(await ask({ method: 'GET', path: `/v1/${part}`, query, signal }))
  const { data, next_cursor } = grantedBy(answer)
  const resources = (data as ListedItem[]).map((row) => resourceOf(part as Part, row))
  if (next_cursor !== null) return { resources, nextCursor: `${part}:${next_cursor}` }
  const after = parts[parts.indexOf(part as Part) + 1]
  return after === undefined ? { resources } : { resources, nextCursor: `${after}:` }
}

interface ListedItem {
  readonly id: string
  readonly agent: string
  readonly label: string | null
  readonly path: string
  readonly size: number
}

function resourceOf(part: Part, { id, agent, label, path, size }: ListedItem): Resource {
  if (part === 'files') {
    const uri = `${FILES}${path.split('/').map(encodeURIComponent).join('/')}`
    return { uri, name: path, mimeType: mimeTypeOf(path), size }
  }
  const uri = `${RUNS}${id}/transcript`
  const description = `Transcript of a ${agent} run`
  return { uri, name: label ?? id, description, mimeType: 'application/json' }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

async function read(ask: Ask, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  const run = TRANSCRIPT.exec(uri)?.[1]
  if (run !== undefined) {
    const path = `/v1/runs/${encodeURIComponent(decoded(run) ?? '')}/transcript`
    const { data } = grantedBy(await answerOf(await ask({ method: 'GET', path, signal })))
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] }
  }
  const key = decoded(FILE.exec(uri)?.[1] ?? '')
  if (!key) throw invalid('not_found', `Resource ${uri} not found.`)
  // The whole file key is encoded, so that dot segments are not resolved.
  const path = `${FILE_ROUTE}${encodeURIComponent(key)}`
  const file = grantedBy(await fileOf(await ask({ method: 'GET', path, signal })))
  const about = { uri, mimeType: mimeTypeOf(key) }
  const { text, bytes } = file
  if (text !== undefined) return { contents: [{ ...about, text }] }
  return { contents: [{ ...about, blob: Buffer.from(bytes).toString('base64') }] }
}
