/** Schemas of chat completions, as OpenAI clients use them. */

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
    z.object({
      type: z.literal('text').describe('Type of the part: plain text'),
      text: text('Content of the part'),
    }),
    z.object({
      type: z.literal('refusal').describe('Refusal text'),
      refusal: text('Refusal text'),
    }),
    z.object({
      type: z.literal('image_url').describe('A picture'),
      image_url: z
        .object({
          url: text('HTTPS URL, or Base64 data URL'),
          detail: unused('Level of detail for the image'),
        })
        .describe('Location of the image'),
    }),
    z.object({
      type: z.literal('file').describe('A file: text, PDF, image, or audio'),
      file: z
        .object({
          file_data: text('Content as a data URL or in Base64'),
          filename: z.string().optional().describe('File name that the model sees'),
        })
        .describe('Content of the part'),
    }),
    z.object({
      type: z.literal('input_audio').describe('A sound'),
      input_audio: z
        .object({
          data: text('Base64'),
          format: unused('Audio format, `wav` or `mp3`; detected from the content'),
        })
        .describe('Content of the part'),
    }),
  ],
  { error: 'Each part must be text, an image, a file, or audio.' },
)
const error = 'The content must be a string or a list of parts {type, …}.'
const content = z
  .union([z.string(), z.array(Part)], { error })
  .meta({ id: 'ChatContent', description: 'Message content: a string or a list of parts' })
const answerContent = z.union([z.string(), z.array(Part.meta(LEAVES_OUT))], { error }).meta({
  id: 'ChatAnswerContent',
  description:
    'Content from an earlier response that is sent back; other kinds of parts are ignored',
})
export type ChatContent = z.output<typeof content>

const Call = z.object({
  id: text("ID of the call, which the call's result must reference"),
  type: z.literal('function').describe('A call to your function'),
  function: z
    .object({
      name: text('Name of the function'),
      arguments: text('Call arguments, as JSON text'),
    })
    .describe('Function to call'),
})
const name = unused('Author name')
const Message = z.discriminatedUnion('role', [
  z.object({
    role: z
      .enum(['system', 'developer'])
      .describe("Author role; the text follows the agent's prompt"),
    content: content.describe('Message content'),
    name,
  }),
  z.object({
    role: z.literal('user').describe('Author role, always the user'),
    content: content.describe('Message content'),
    name,
  }),
  z.object({
    role: z.literal('assistant').describe('Author role, always the model'),
    content: answerContent.nullish().describe('Response content'),
    refusal: z.string().nullish().describe('Refusal text'),
    tool_calls: z.array(Call).optional().describe('Calls to your functions'),
    annotations: unused('Notes'),
    function_call: neutral('Function call in the format that preceded `tool_calls`'),
    name,
  }),
  z.object({
    role: z.literal('tool').describe('Author role: your function, which was called earlier'),
    tool_call_id: text(
      'ID of the call; for a call from this server, identifies the run that waits for the ' +
        'result',
    ),
    content: content.nullish().describe('Message text; `null` if empty'),
    name: unused('Name of the function'),
  }),
])
export type ChatMessage = z.output<typeof Message>

export const ChatInput = z
  .object({
    messages: z.array(Message).min(1).max(1_000).describe('Messages in the conversation so far'),
    ...sharedInput,
    stream: z.boolean().optional().describe('Whether to stream the response in chunks'),
    stream_options: z
      .object({
        include_usage: z
          .boolean()
          .optional()
          .describe('Whether the stream includes a final chunk with the usage'),
        include_obfuscation: unused('Whether to obfuscate the stream'),
      })
      .optional()
      .describe('Options for streaming'),
    tools: z
      .array(
        z.object({
          type: onlyFunctions(),
          function: FunctionBody.describe('Description for the model'),
        }),
      )
      .max(LIMITS.caller_tools)
      .optional()
      .describe(
        "Functions that you execute, in addition to the agent's tools, which run on the " +
          'server',
      ),
    response_format: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('text').describe('Any text') }),
        z.object({ type: z.literal('json_object').describe('Any JSON object') }),
        z.object({
          type: z.literal('json_schema').describe('Data that conforms to a schema'),
          json_schema: z
            .object(SchemaFormat)
            .describe('Name, schema, and options of the response format'),
        }),
      ])
      .optional()
      .describe("Format of the response, equivalent to a run's `output_schema`"),
    max_completion_tokens: shape.max_output_tokens,
    max_tokens: shape.max_output_tokens,
    reasoning_effort: shape.reasoning_effort,
    seed: shape.seed,
    stop: z
      .union([z.string(), z.array(z.string()).max(0), shape.stop.unwrap()])
      .optional()
      .describe('Sequences that stop generation'),
    n: z.literal(1).optional().describe('Number of responses; only one is supported'),
    logprobs: neutral('Whether to return log probabilities', false),
    audio: neutral('Options for spoken responses'),
    web_search_options: neutral('Options for a web search by the provider'),
    functions: neutral('Functions in the format that preceded `tools`', []),
    function_call: neutral('Choice among the `functions`', 'auto', 'none'),
    verbosity: unused('Verbosity of the response'),
    prediction: unused('Predicted content of the response'),
  })
  .meta({
    id: 'ChatInput',
    description:
      'A run for Chat Completions clients. Members without an effect are ignored and listed ' +
      'in `Strata-Ignored`; unsupported requests are rejected',
    examples: CHAT_INPUTS,
  })

const finish = () =>
  z
    .enum(['stop', 'length', 'tool_calls', 'content_filter'])
    .describe(
      'Reason why the response ended; `length` means that a token, step, or budget limit ' +
        'was reached',
    )
const head = {
  id: text(
    '`chatcmpl-` followed by the rest of the run ID, plus `_1`, `_2` … if the run has ' +
      'continued',
  ),
  created: count('Time in seconds since the Unix epoch (1970)'),
  model: text('Requested model, or `agent/<name>`'),
}
const usage = () =>
  z
    .looseObject({
      prompt_tokens: count('Number of input tokens'),
      completion_tokens: count('Number of output tokens'),
      total_tokens: count('Total number of input and output tokens'),
    })
    .describe('Usage for all model calls for this response')

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
              content: textOrNull(
                'Complete text; `null` if the response only calls your functions',
              ),
              tool_calls: z
                .array(Call)
                .optional()
                .describe('Calls to your functions, for you to execute'),
            })
            .describe("The agent's response"),
          finish_reason: finish(),
        }),
      )
      .describe('Number of responses; only one is supported'),
    usage: usage(),
  })
  .meta({
    id: 'ChatCompletion',
    description: "A run's turn as a chat completion",
    examples: COMPLETIONS,
  })

export const CompletionChunk = z
  .looseObject({
    ...head,
    object: kindIs('chat.completion.chunk'),
    choices: z
      .array(z.unknown())
      .describe('Parts of the response; empty in the chunk that contains the usage'),
    strata: z
      .looseObject({
        run_id: idOf('run', 'ID of the run'),
        ignored: z.array(z.string()).optional().describe('Names of the ignored members'),
        voided: z
          .literal(true)
          .optional()
          .describe('Whether the text of this step so far is void; this chunk restarts the step'),
        content: z
          .string()
          .optional()
          .describe('Complete response, in the last chunk if earlier text was void'),
      })
      .optional()
      .describe('Strata extensions'),
  })
  .meta({
    id: 'ChatCompletionChunk',
    description: 'A chunk of a chat completion; `[DONE]` ends the stream',
    examples: CHAT_CHUNKS,
  })
