/** Chat completions as OpenAI's clients write and read them. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { CHAT_CHUNKS, CHAT_INPUTS, COMPLETIONS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored-members.ts'
import { ModelSettings } from '../shared/models.ts'
import { count, idOf, kindIs, text, textOrNull } from '../shared/words.ts'
import { FunctionBody, onlyFunctions, SchemaFormat, sharedInput } from './openai-input.ts'

const shape = ModelSettings.shape

const Part = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text').describe('A text'), text: text('Content of the part') }),
    z.object({
      type: z.literal('refusal').describe('Text of a refusal'),
      refusal: text('Text of the refusal'),
    }),
    z.object({
      type: z.literal('image_url').describe('A picture'),
      image_url: z
        .object({
          url: text('HTTPS URL, or a data URL in Base64'),
          detail: unused('Level of detail'),
        })
        .describe('Location of the picture'),
    }),
    z.object({
      type: z.literal('file').describe('A file: text, PDF, picture, or sound'),
      file: z
        .object({
          file_data: text('A data URL, or Base64'),
          filename: z.string().optional().describe('Name for the model'),
        })
        .describe('The sound'),
    }),
    z.object({
      type: z.literal('input_audio').describe('A sound'),
      input_audio: z
        .object({
          data: text('Base64'),
          format: unused('`wav` or `mp3`; determined from the content'),
        })
        .describe('The sound'),
    }),
  ],
  { error: 'A part is a text, a picture, a file, or a sound, by its type.' },
)
const error = 'A text, or parts {type, …}.'
const content = z
  .union([z.string(), z.array(Part)], { error })
  .meta({ id: 'ChatContent', description: 'Content of a message: a text, or parts' })
const answerContent = z.union([z.string(), z.array(Part.meta(LEAVES_OUT))], { error }).meta({
  id: 'ChatAnswerContent',
  description: 'Content of an answer that is sent back; other kinds of parts are ignored',
})
export type ChatContent = z.output<typeof content>

const Call = z.object({
  id: text('ID of the call, which its result names'),
  type: z.literal('function').describe('A call of your function'),
  function: z
    .object({ name: text('The function'), arguments: text('Arguments as JSON text') })
    .describe('The function to call'),
})
const name = unused('Name of the author')
const Message = z.discriminatedUnion('role', [
  z.object({
    role: z
      .enum(['system', 'developer'])
      .describe('Role of the author; its text follows the prompt'),
    content: content.describe('Content of the message'),
    name,
  }),
  z.object({
    role: z.literal('user').describe('Role of the author: the user'),
    content: content.describe('Content of the message'),
    name,
  }),
  z.object({
    role: z.literal('assistant').describe('Role of the author: the model'),
    content: answerContent.nullish().describe('Content of the answer'),
    refusal: z.string().nullish().describe('Text of a refusal'),
    tool_calls: z.array(Call).optional().describe('Calls of your functions'),
    annotations: unused('Notes'),
    function_call: neutral('A call in the format that preceded `tool_calls`'),
    name,
  }),
  z.object({
    role: z.literal('tool').describe('Role of the author: your function, which was called before'),
    tool_call_id: text('ID of the call; a call of this server names the run that waits for it'),
    content: content.nullish().describe('Text; null: empty'),
    name: unused('Name of the function'),
  }),
])
export type ChatMessage = z.output<typeof Message>

export const ChatInput = z
  .object({
    messages: z.array(Message).min(1).max(1_000).describe('The conversation so far'),
    ...sharedInput,
    stream: z.boolean().optional().describe('Whether to stream chunks'),
    stream_options: z
      .object({
        include_usage: z.boolean().optional().describe('Whether a last chunk has the usage'),
        include_obfuscation: unused('Whether to obfuscate the stream'),
      })
      .optional()
      .describe('Options of the stream'),
    tools: z
      .array(
        z.object({
          type: onlyFunctions(),
          function: FunctionBody.describe('What the context is'),
        }),
      )
      .max(LIMITS.caller_tools)
      .optional()
      .describe("Your functions, in addition to the agent's tools, which run on the server"),
    response_format: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('text').describe('Any text') }),
        z.object({ type: z.literal('json_object').describe('Any JSON object') }),
        z.object({
          type: z.literal('json_schema').describe('Data that conforms to a schema'),
          json_schema: z.object(SchemaFormat).describe('Name, schema, and options of the format'),
        }),
      ])
      .optional()
      .describe('Format of the answer, like `output_schema` of a run'),
    max_completion_tokens: shape.max_output_tokens,
    max_tokens: shape.max_output_tokens,
    reasoning_effort: shape.reasoning_effort,
    seed: shape.seed,
    stop: z
      .union([z.string(), z.array(z.string()).max(0), shape.stop.unwrap()])
      .optional()
      .describe('Stop sequences'),
    n: z.literal(1).optional().describe('Number of answers; only one'),
    logprobs: neutral('Whether to return log probabilities', false),
    audio: neutral('Options of spoken answers'),
    web_search_options: neutral('Options of a web search by the provider'),
    functions: neutral('Functions in the format that preceded `tools`', []),
    function_call: neutral('A choice among `functions`', 'auto', 'none'),
    verbosity: unused('Verbosity of the answer'),
    prediction: unused('Predicted content of the answer'),
  })
  .meta({
    id: 'ChatInput',
    description:
      'A run for clients of chat completions. Members without an effect are ignored and ' +
      'listed in `Strata-Ignored`; unsupported requests are refused',
    examples: CHAT_INPUTS,
  })

const finish = () =>
  z
    .enum(['stop', 'length', 'tool_calls', 'content_filter'])
    .describe('Why it ended; `length`: because of a limit of tokens, steps, or budget')
const head = {
  id: text(
    '`chatcmpl-` and the rest of the run ID, plus `_1`, `_2` … where the run has ' + 'continued',
  ),
  created: count('Seconds since 1970'),
  model: text('As requested, or `agent/<name>`'),
}
const usage = () =>
  z
    .looseObject({
      prompt_tokens: count('Input tokens'),
      completion_tokens: count('Output tokens'),
      total_tokens: count('Sum of both'),
    })
    .describe('Usage of all model calls for this answer')

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
              content: textOrNull('Complete text; null: it only calls your functions'),
              tool_calls: z.array(Call).optional().describe('Calls for you to perform'),
            })
            .describe('The answer'),
          finish_reason: finish(),
        }),
      )
      .describe('Number of answers; only one'),
    usage: usage(),
  })
  .meta({
    id: 'ChatCompletion',
    description: 'A turn of a run as a chat completion',
    examples: COMPLETIONS,
  })

export const CompletionChunk = z
  .looseObject({
    ...head,
    object: kindIs('chat.completion.chunk'),
    choices: z
      .array(z.unknown())
      .describe('Parts of the answer; empty in the chunk with the usage'),
    strata: z
      .looseObject({
        run_id: idOf('run', 'The run'),
        ignored: z.array(z.string()).optional().describe('Members that were ignored'),
        voided: z
          .literal(true)
          .optional()
          .describe('The text of this step so far is void; this chunk starts it again'),
        content: z
          .string()
          .optional()
          .describe('In the last chunk, when text was void: the complete answer'),
      })
      .optional()
      .describe('Extensions of Strata'),
  })
  .meta({
    id: 'ChatCompletionChunk',
    description: 'A chunk of a chat completion; `[DONE]` ends the stream',
    examples: CHAT_CHUNKS,
  })
