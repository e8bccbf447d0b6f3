/**
 * Serves runs in the format of OpenAI's chat completions; each request contains its whole
 * conversation.
 */

import * as z from 'zod'
import { runPartition } from '../../engine/partition/keys.ts'
import { completionOf, failureOf, itemsOf, strataOf } from '../protocols/openai/chat.ts'
import { tellCompletion } from '../protocols/openai/chat-stream.ts'
import { conversationOf } from '../protocols/openai/input.ts'
import { chosenBy, schemaBy, settingsBy, stopsOf, toolsOf } from '../protocols/openai/request.ts'
import { startTurn } from '../protocols/openai/start.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { ChatInput, Completion, CompletionChunk } from '../schemas/protocols/openai-chat.ts'
import { streamTurn, untilTurn } from '../turn/follow.ts'

export function chatRoutes(api: Api): void {
  route(
    api,
    {
      id: 'createChatCompletion',
      method: 'post',
      path: '/v1/chat/completions',
      tag: 'OpenAI',
      summary: 'Create a chat completion (OpenAI)',
      description:
        'Creates a run whose input is the list of messages. System and developer messages ' +
        "follow the agent's prompt; calls and results from earlier turns are included in the " +
        "input as marked text. If the last messages are results for the run's calls, the " +
        'waiting run continues and earlier messages are ignored. The run is durable: ' +
        "`chatcmpl-x` is `run_x`. Error responses have a member `error`, as in OpenAI's API. " +
        'Chunks cannot withdraw text. If the model is interrupted and a retry produces a ' +
        'different response, a chunk with `strata.voided` announces the replacement and the ' +
        'response starts over. The last chunk contains the complete text in `strata.content`.',
      scope: 'runs:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: ChatInput,
      takesMedia: 'urls',
      ignoresUnknown: true,
      refusals: [404, 409, 429],
      starts: 'run',
      answers: {
        200: { description: 'The chat completion', schema: Completion, stream: CompletionChunk },
      },
    },
    async ({ c, world, tenant, body, ignored }) => {
      const { stream = false, response_format: format } = body
      const { max_completion_tokens, max_tokens, stop } = body
      const conversation = conversationOf(itemsOf(body.messages), '/messages')
      const started = await startTurn({
        world: world.attended?.() ?? world,
        tenant,
        keyed: keyedOf(c),
        conversation,
        request: {
          ...chosenBy(body.model),
          ...schemaBy(
            format?.type === 'json_schema' ? { ...format.json_schema, type: format.type } : format,
          ),
          instructions: conversation.instructions.join('\n\n'),
          caller_tools: toolsOf((body.tools ?? []).map((tool) => tool.function)),
          metadata: body.metadata,
          model_settings: settingsBy({
            temperature: body.temperature,
            top_p: body.top_p,
            max_output_tokens: max_completion_tokens ?? max_tokens,
            reasoning_effort: body.reasoning_effort,
            parallel_tool_calls: body.parallel_tool_calls,
            seed: body.seed,
            stop: stopsOf(stop),
          }),
        },
      })
      const { run, turn, replayed } = started
      const partition = runPartition(tenant, run)
      const headers = replayHeader(replayed)
      if (stream) {
        const includesUsage = body.stream_options?.include_usage === true
        return streamTurn(world, partition, turn, headers, tellCompletion(includesUsage, ignored))
      }
      const view = await untilTurn(world, partition, turn)
      const failure = failureOf(view)
      if (failure) throw refuse('internal', `The run ${run} failed: ${failure.message}`)
      if (view.end === undefined)
        throw refuse('unavailable', `The run ${run} continues; read /v1/runs/${run}.`)
      return c.json({ ...completionOf(view), ...strataOf(run, ignored) }, 200, headers)
    },
  )
}
