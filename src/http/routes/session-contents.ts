/** Serves a session's messages and runs as pages, and the whole session as a file. */

import { stream } from 'hono/streaming'
import * as z from 'zod'
import { runViews } from '../../engine/run/query.ts'
import {
  homeOf,
  messagesPage,
  type Order,
  type PositionedMessage,
  runCount,
  runsOf,
} from '../../engine/session/pages.ts'
import { findSession, type StoredSession } from '../../engine/session/store.ts'
import { quoteText } from '../../lib/invisible-characters.ts'
import type { World } from '../../ports/world.ts'
import { searched } from '../request/page.ts'
import type { WithId } from '../request/path-id.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { Run } from '../schemas/runs/runs.ts'
import { TranscriptMessage } from '../schemas/runs/transcripts.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { listedRun } from '../views/attachments.ts'
import { shape } from './transcript.ts'

const order = () =>
  z.enum(['asc', 'desc']).default('asc').describe('Sort order: oldest or newest first')

const MessagesQuery = z.strictObject({
  ...pageQuery,
  order: order(),
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Text that the returned messages must contain'),
})
const RunsQuery = z.strictObject({ ...pageQuery, order: order() })

const FORMATS = ['jsonl', 'markdown'] as const

export function sessionContents(api: Api): void {
  messagesAndRuns(api)
  route(
    api,
    {
      id: 'exportSession',
      method: 'get',
      path: '/v1/sessions/{id}/export',
      params: { id: PATH_ID.session },
      tag: 'Sessions',
      summary: "Export a session's transcript",
      description:
        'Exports the conversation from all runs that have ended, oldest first: one JSON ' +
        'message per line, or human-readable Markdown.',
      scope: 'sessions:read',
      query: z.strictObject({
        format: z
          .enum(FORMATS)
          .default('jsonl')
          .describe('Format of the export: JSON Lines or Markdown'),
      }),
      answers: { 200: { description: 'The exported file', type: 'application/octet-stream' } },
    },
    async ({ c, world, tenant, query }) => {
      const session = await sessionOf(c, world, tenant)
      const { id } = session.state
      const [type, ending] =
        query.format === 'jsonl' ? ['application/jsonl', 'jsonl'] : ['text/markdown', 'md']
      c.header('content-type', `${type}; charset=utf-8`)
      c.header('content-disposition', `attachment; filename="${id}.${ending}"`)
      c.header('x-content-type-options', 'nosniff')
      return stream(c, async (out) => {
        if (query.format === 'markdown') await out.write(headOf(session))
        for await (const entry of allMessages(world, tenant, session)) {
          await out.write(
            query.format === 'jsonl' ? `${JSON.stringify(entry)}\n` : markdownOf(entry),
          )
        }
      })
    },
  )
}

function messagesAndRuns(api: Api): void {
  const params = { id: PATH_ID.session }
  route(
    api,
    {
      id: 'listSessionMessages',
      method: 'get',
      path: '/v1/sessions/{id}/messages',
      params,
      tag: 'Sessions',
      summary: "A session's transcript",
      description: 'Returns the conversation from all runs that have ended.',
      scope: 'sessions:read',
      query: MessagesQuery,
      answers: { 200: { description: 'The messages', schema: list(TranscriptMessage) } },
    },
    async ({ c, world, tenant, query }) => {
      const session = await sessionOf(c, world, tenant)
      const { q } = query
      const place = `${session.partition}/messages?${query.order} ${q ?? ''}`
      const isMatch =
        q === undefined
          ? undefined
          : (entry: PositionedMessage) => contains(world, tenant, session, entry, q)
      const page = await searched(world, place, query, async (last, room) => {
        const range = { order: query.order, limit: room, last }
        const { found: entries, reached: endAt } = await messagesPage(
          world,
          tenant,
          session,
          range,
          isMatch,
        )
        const items = entries.map(async (entry) => ({
          at: entry.position,
          item: await message(world, tenant, session, entry),
        }))
        return { found: await Promise.all(items), reached: endAt }
      })
      return c.json(page)
    },
  )
  route(
    api,
    {
      id: 'listSessionRuns',
      method: 'get',
      path: '/v1/sessions/{id}/runs',
      params,
      tag: 'Sessions',
      summary: "A session's runs",
      description:
        'Runs are listed in the order in which they ended, followed by the active run and ' +
        'waiting runs. A page can have fewer than `limit` runs while `has_more` is true, ' +
        'because expired runs are omitted.',
      scope: 'sessions:read',
      query: RunsQuery,
      answers: { 200: { description: 'The runs', schema: list(Run) } },
    },
    async ({ c, world, tenant, query }) => {
      const session = await sessionOf(c, world, tenant)
      const place = `${session.partition}/runs?${query.order}`
      return c.json(
        await searched(world, place, query, (last, room) =>
          runsPortion(world, tenant, session, { order: query.order, last, room }),
        ),
      )
    },
  )
}

export const missing = () => refuse('not_found', 'Session not found.')

export async function sessionOf(
  { req }: WithId,
  world: World,
  tenant: string,
): Promise<StoredSession> {
  const session = await findSession(world, tenant, req.param('id') ?? '')
  if (!session) throw missing()
  return session
}

/** Reads a section of the session's runs; `last` is the number of earlier runs in the list. */
async function runsPortion(
  world: World,
  tenant: string,
  session: StoredSession,
  { order: by, last, room }: { order: Order; last: string | undefined; room: number },
) {
  const count = runCount(session)
  const startIndex = Number(last ?? 0)
  const next = Math.min(count, startIndex + room)
  const range =
    by === 'asc' ? { from: startIndex, to: next } : { from: count - next, to: count - startIndex }
  const ids = await runsOf(world, tenant, session, range)
  if (by === 'desc') ids.reverse()
  const views = new Map((await runViews(world, tenant, ids)).map((view) => [view.id, view]))
  const items = ids.flatMap((id, index) => {
    const view = views.get(id)
    return view ? [{ at: String(startIndex + index + 1), item: listedRun(view) }] : []
  })
  return { found: items, reached: next < count ? String(next) : undefined }
}

async function message(
  world: World,
  tenant: string,
  session: StoredSession,
  entry: PositionedMessage,
) {
  const shaped = await shape(world, homeOf(tenant, session), entry.message)
  return { ...shaped, position: entry.position }
}
type MessageView = Awaited<ReturnType<typeof message>>

async function contains(
  world: World,
  tenant: string,
  session: StoredSession,
  entry: PositionedMessage,
  q: string,
): Promise<boolean> {
  const texts = textsOf(await message(world, tenant, session, entry))
  return texts.some((text) => text.toLowerCase().includes(q.toLowerCase()))
}

interface MessageText {
  readonly role: string
  readonly text?: string | undefined
  readonly parts?: readonly {
    readonly text?: string
    readonly tool?: string
    readonly arguments?: string
  }[]
  readonly results?: readonly { readonly tool: string; readonly text: string }[]
}

const textsOf = ({ text = '', parts = [], results = [] }: MessageText): string[] => [
  text,
  ...parts.map((part) => part.text ?? part.arguments ?? ''),
  ...results.map((result) => result.text),
]

const EXPORTED = 100

async function* allMessages(
  world: World,
  tenant: string,
  session: StoredSession,
): AsyncGenerator<MessageView> {
  for (let last: string | undefined; ; ) {
    const range = { order: 'asc', limit: EXPORTED, last } as const
    const { found: entries, reached: endAt } = await messagesPage(world, tenant, session, range)
    for (const entry of entries) yield await message(world, tenant, session, entry)
    if (endAt === undefined) return
    last = endAt
  }
}

function headOf({ state }: StoredSession): string {
  return `# ${state.title ?? state.opening ?? state.id}\n\nSession ${state.id}\n`
}

/** Formats a message as Markdown; third-party text is inside a fence that the text cannot close. */
function markdownOf(view: MessageView): string {
  const { role, text, parts = [], results = [] } = view as MessageText
  const calls = parts.map((part) =>
    part.tool === undefined
      ? (part.text ?? '')
      : `Calls \`${part.tool}\`:\n\n${fenced(part.arguments ?? '', 'json')}`,
  )
  const answers = results.map(
    ({ tool, text: resultText }) => `Result of ${quoteText(tool)}:\n\n${fenced(resultText)}`,
  )
  const body = [...(text === undefined ? [] : [text]), ...calls, ...answers].join('\n\n')
  return `\n## ${HEADINGS[role] ?? role}\n\n${body}\n`
}

const HEADINGS: Readonly<Record<string, string>> = {
  user: 'User',
  assistant: 'Agent',
  tool: 'Tools',
  system: 'System',
}

function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
