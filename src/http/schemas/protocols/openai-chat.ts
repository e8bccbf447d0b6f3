/** Chat completions as OpenAI's clients write and read them. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { CHAT_CHUNKS, CHAT_INPUTS, COMPLETIONS } from '../shared/examples.ts'
import { ModelSettings } from '../shared/models.ts'
import { count, kindIs, text, textOrNull } from '../shared/words.ts'
import { FunctionBody, SchemaFormat, sharedInput } from './openai-input.ts'

const shape = ModelSettings.shape

const Part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('A text'), text: text('Its words') }),
  z.strictObject({
    type: z.literal('refusal').describe('An answer that was refused'),
    refusal: text('Its words'),
  }),
  z.strictObject({
    type: z.literal('image_url').describe('A picture'),
    image_url: z
      .strictObject({
        url: text('Its https address, or a data URL in base64'),
        detail: z.unknown().optional().describe('How closely it is looked at; not used'),
      })
      .describe('Where it is'),
  }),
  z.strictObject({
    type: z.literal('file').describe('A file: text, PDF, picture or sound'),
    file: z
      .strictObject({
        file_data: text('A data URL, or base64'),
        filename: z.string().optional().describe('Its name for the model'),
      })
      .describe('What it holds'),
  }),
  z.strictObject({
    type: z.literal('input_audio').describe('A sound'),
    input_audio: z
      .strictObject({ data: text('Base64'), format: text('`wav` or `mp3`; told by its bytes') })
      .describe('What it holds'),
  }),
])
const content = z
  .union([z.string(), z.array(Part)], { error: 'A text, or parts {type, …}.' })
  .meta({ id: 'ChatContent', description: 'Content of a message: a text, or parts' })
export type ChatContent = z.output<typeof content>

const Call = z.strictObject({
  id: text('Its name, by which its result comes back'),
  type: z.literal('function').describe('A call of your function'),
  function: z
    .strictObject({ name: text('The function'), arguments: text('JSON text') })
    .describe('What is called'),
})
const name = z.string().optional().describe('The name of its author; not used')
const Message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer']).describe('Its author, whose words follow the prompt'),
    content: content.describe('What it says'),
    name,
  }),
  z.strictObject({
    role: z.literal('user').describe('Its author: you'),
    content: content.describe('What it says'),
    name,
  }),
  z.strictObject({
    role: z.literal('assistant').describe('Its author: the model'),
    content: content.nullish().describe('What it said'),
    refusal: z.string().nullish().describe('What it said instead'),
    tool_calls: z.array(Call).optional().describe('Its calls of your functions'),
    audio: z.null().optional().describe('Not taken'),
    annotations: z.array(z.unknown()).optional().describe('Notes; not used'),
    function_call: z.null().optional().describe('Not taken'),
    name,
  }),
  z.strictObject({
    role: z.literal('tool').describe('Its author: your function, called before'),
    tool_call_id: text('The call; one of ours names the run that waits for it'),
    content: content.describe('A text'),
  }),
])
export type ChatMessage = z.output<typeof Message>

export const ChatInput = z
  .strictObject({
    messages: z.array(Message).min(1).max(1_000).describe('The conversation so far'),
    ...sharedInput,
    stream: z.boolean().optional().describe('Answers with chunks'),
    stream_options: z
      .strictObject({
        include_usage: z.boolean().optional().describe('A last chunk with the usage'),
        include_obfuscation: z.unknown().optional().describe('Taken and not used'),
      })
      .optional()
      .describe('What a stream holds'),
    tools: z
      .array(
        z.strictObject({
          type: z.literal('function').describe('A function that you perform'),
          function: FunctionBody.describe('What it is'),
        }),
      )
      .max(LIMITS.caller_tools)
      .optional()
      .describe("Your functions, beside the agent's tools, which run on the server"),
    response_format: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('text').describe('Any text') }),
        z.strictObject({ type: z.literal('json_object').describe('Any JSON object') }),
        z.strictObject({
          type: z.literal('json_schema').describe('Data by a schema'),
          json_schema: z.strictObject(SchemaFormat).describe('The form'),
        }),
      ])
      .optional()
      .describe('The form of the answer, as `output_schema` of a run'),
    max_completion_tokens: shape.max_output_tokens,
    max_tokens: shape.max_output_tokens,
    reasoning_effort: shape.reasoning_effort,
    seed: shape.seed,
    stop: z
      .union([z.string().min(1), shape.stop.unwrap()])
      .optional()
      .describe('Texts that end an answer'),
    n: z.literal(1).optional().describe('One answer'),
  })
  .meta({
    id: 'ChatInput',
    description: 'A run in the words of chat completions; what means nothing here is refused',
    examples: CHAT_INPUTS,
  })

const finish = () =>
  z
    .enum(['stop', 'length', 'tool_calls', 'content_filter'])
    .describe('Why it ends; `length`: by a limit of tokens, steps or budget')
const head = {
  id: text('`chatcmpl-` and the rest of the id of the run, `_1`, `_2` … where it has gone on'),
  created: count('Seconds since 1970'),
  model: text('As asked, or `agent/<name>`'),
}
const usage = () =>
  z
    .looseObject({
      prompt_tokens: count('Tokens in'),
      completion_tokens: count('Tokens out'),
      total_tokens: count('Both'),
    })
    .describe('Of all calls of models in this answer')

export const Completion = z
  .looseObject({
    ...head,
    object: kindIs('chat.completion'),
    choices: z
      .array(
        z.looseObject({
          index: count('Always 0'),
          message: z
            .looseObject({
              role: z.literal('assistant').describe('The agent'),
              content: textOrNull('All that it said; null: it only calls your functions'),
              tool_calls: z.array(Call).optional().describe('Calls that you perform'),
            })
            .describe('The answer'),
          finish_reason: finish(),
        }),
      )
      .describe('One answer'),
    usage: usage(),
  })
  .meta({
    id: 'ChatCompletion',
    description: 'A turn of a run in the words of chat completions',
    examples: COMPLETIONS,
  })

export const CompletionChunk = z
  .looseObject({
    ...head,
    object: kindIs('chat.completion.chunk'),
    choices: z.array(z.unknown()).describe('Pieces of the answer; empty in the chunk of the usage'),
  })
  .meta({
    id: 'ChatCompletionChunk',
    description: 'A piece of a chat completion; `[DONE]` ends the stream',
    examples: CHAT_CHUNKS,
  })
