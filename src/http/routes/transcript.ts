/** Serves a run's full conversation: all input and output of the model. */

import * as z from 'zod'
import { mediaTypeOf } from '../../core/media.ts'
import { type Body, isRef, type Message } from '../../core/message.ts'
import { shownArguments } from '../../core/redaction.ts'
import { messages } from '../../core/run/prompt/transcript.ts'
import { type Home, homeOfRun } from '../../engine/partition/home.ts'
import { forkOf } from '../../engine/run/fork.ts'
import { load, loadText } from '../../engine/tenant/blobs.ts'
import { getMedia } from '../../engine/tenant/media.ts'
import type { World } from '../../ports/world.ts'
import { download } from '../request/download.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { TranscriptMessage } from '../schemas/runs/transcripts.ts'
import { list } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { untilTerminal } from '../stream/wait.ts'
import { downloaded } from '../views/attachments.ts'
import { pathPartition } from './run-reads.ts'

export function transcriptRoutes(api: Api): void {
  route(
    api,
    {
      id: 'getRunTranscript',
      method: 'get',
      path: '/v1/runs/{id}/transcript',
      params: { id: PATH_ID.run },
      tag: 'Runs',
      summary: "A run's transcript",
      description:
        'Returns the complete transcript in order; subagent results appear where they were ' +
        'added.',
      scope: 'runs:read',
      answers: { 200: { description: 'The messages', schema: list(TranscriptMessage) } },
    },
    async ({ c, world, tenant }) => {
      const run = await untilTerminal(world, pathPartition(c, tenant), 0)
      const inherited = await forkOf(world, tenant, run.state.spec!)
      const all = [...inherited, ...messages(run.state)]
      const home = homeOfRun(tenant, run.state.spec)
      const shaped = all.map((message) => shape(world, home, message))
      return c.json({ data: await Promise.all(shaped), next_cursor: null, has_more: false })
    },
  )
  route(
    api,
    {
      id: 'getRunMedia',
      method: 'get',
      path: '/v1/runs/{id}/media/{digest}',
      params: { id: PATH_ID.run, digest: 'Digest of the content, from the transcript' },
      tag: 'Runs',
      summary: 'Get an image, audio clip, or file from a transcript',
      description:
        'Returns the bytes that the model received. The content is available while the run is ' +
        'kept.',
      scope: 'runs:read',
      answers: { 200: { description: "The file's bytes", type: 'application/octet-stream' } },
    },
    async ({ c, world, tenant }) => {
      const { state } = await untilTerminal(world, pathPartition(c, tenant), 0)
      const digest = c.req.param('digest') ?? ''
      const isDigest = /^[0-9a-f]{64}$/.test(digest)
      const data = isDigest
        ? await getMedia(world, homeOfRun(tenant, state.spec), { digest })
        : undefined
      // Texts of the run are stored separately and served by another route.
      const type = data && mediaTypeOf(data)
      if (!data || !type)
        throw refuse('not_found', 'No text with this digest was found in the run.')
      return download(data, type, digest)
    },
  )
  route(
    api,
    {
      id: 'downloadFile',
      method: 'get',
      path: '/v1/downloads',
      tag: 'Runs',
      summary: 'Download a file by link',
      description:
        "Requires no API key: the link to a run's attachment contains a token. Expired links " +
        'are rejected.',
      scope: null,
      query: z.strictObject({ token: z.string().max(4_000).describe('The value from the link') }),
      refusals: [404, 410],
      answers: { 200: { description: "The file's bytes", type: 'application/octet-stream' } },
    },
    ({ world, query }) => downloaded(world, query.token),
  )
}

export async function shape(world: World, home: Home, message: Message) {
  const full = (body: Parameters<typeof load>[2]) => load(world, home, body)
  if (message.role === 'user') {
    return { role: 'user', text: await loadText(world, home, message), ...mediaOf(message) }
  }
  if (message.role === 'tool') {
    const results = message.results.map(async ({ call, tool, is_error, ...body }) => {
      return { call, tool, text: await loadText(world, home, body), is_error, ...mediaOf(body) }
    })
    return { role: 'tool', results: await Promise.all(results) }
  }
  const parts = message.parts.map(async (part) =>
    part.type === 'call'
      ? {
          type: part.type,
          id: part.id,
          tool: part.tool,
          arguments: shownArguments(part.tool, await full(part.arguments)),
        }
      : { type: part.type, text: await full(part.text) },
  )
  return { role: 'assistant', parts: await Promise.all(parts) }
}

/** Returns the media referenced in a message's texts; most messages reference none. */
function mediaOf({ text, more = [] }: { readonly text: Body; readonly more?: readonly Body[] }) {
  const media = [text, ...more].flatMap((body) => (isRef(body) ? (body.media ?? []) : []))
  return media.length === 0 ? {} : { media }
}
