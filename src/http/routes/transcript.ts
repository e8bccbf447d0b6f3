/** The full conversation: everything that the model was shown and said. */

import type { Message } from '../../core/message.ts'
import { shownArguments } from '../../core/redacted.ts'
import { messages } from '../../core/run/transcript.ts'
import { type Home, homeOfRun } from '../../engine/partition/home.ts'
import { forkOf } from '../../engine/run/fork.ts'
import { load, loadText } from '../../engine/tenant/blobs.ts'
import type { World } from '../../ports/world.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list } from '../schemas/common.ts'
import { TranscriptMessage } from '../schemas/runs.ts'
import { PATH_ID } from '../schemas/words.ts'
import { untilTerminal } from '../stream/wait.ts'
import { named } from './run-reads.ts'

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
      description: 'All of it, in order; results of subagents stand where they entered.',
      scope: 'runs:read',
      answers: { 200: { description: 'The messages', schema: list(TranscriptMessage) } },
    },
    async ({ c, world, tenant }) => {
      const run = await untilTerminal(world, named(c, tenant), 0)
      const before = await forkOf(world, tenant, run.state.spec!)
      const all = [...before, ...messages(run.state)]
      const home = homeOfRun(tenant, run.state.spec)
      const shown = all.map((message) => shape(world, home, message))
      return c.json({ data: await Promise.all(shown), next_cursor: null, has_more: false })
    },
  )
}

export async function shape(world: World, home: Home, message: Message) {
  const full = (body: Parameters<typeof load>[2]) => load(world, home, body)
  if (message.role === 'user') {
    return { role: 'user', text: await loadText(world, home, message) }
  }
  if (message.role === 'tool') {
    const results = message.results.map(async ({ call, tool, is_error, ...one }) => {
      return { call, tool, text: await loadText(world, home, one), is_error }
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
