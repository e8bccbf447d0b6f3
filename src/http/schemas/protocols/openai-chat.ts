/** Chat completions as OpenAI's clients write and read them. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { CHAT_CHUNKS, CHAT_INPUTS, COMPLETIONS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored.ts'
import { ModelSettings } from '../shared/models.ts'
import { count, idOf, kindIs, text, textOrNull } from '../shared/words.ts'
import { FunctionBody, onlyFunctions, SchemaFormat, sharedInput } from './openai-input.ts'

const shape = ModelSettings.shape

const Part = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text').describe('A text'), text: text('Its words') }),
    z.object({
      type: z.literal('refusal').describe('An answer that was refused'),
      refusal: text('Its words'),
    }),
    z.object({
      type: z.literal('image_url').describe('A picture'),
      image_url: z
        .object({
          url: text('Its https address, or a data URL in base64'),
          detail: unused('How closely it is looked at'),
        })
        .describe('Where it is'),
    }),
    z.object({
      type: z.literal('file').describe('A file: text, PDF, picture or sound'),
      file: z
        .object({
          file_data: text('A data URL, or base64'),
          filename: z.string().optional().describe('Its name for the model'),
        })
        .describe('What it holds'),
    }),
    z.object({
      type: z.literal('input_audio').describe('A sound'),
      input_audio: z
        .object({ data: text('Base64'), format: unused('`wav` or `mp3`, which its bytes tell') })
        .describe('What it holds'),
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
  description: 'Content of an answer that is sent back; parts of other kinds are left out',
})
export type ChatContent = z.output<typeof content>

const Call = z.object({
  id: text('Its name, by which its result comes back'),
  type: z.literal('function').describe('A call of your function'),
  function: z
    .object({ name: text('The function'), arguments: text('JSON text') })
    .describe('What is called'),
})
const name = unused('The name of its author')
const Message = z.discriminatedUnion('role', [
  z.object({
    role: z.enum(['system', 'developer']).describe('Its author, whose words follow the prompt'),
    content: content.describe('What it says'),
    name,
  }),
  z.object({
    role: z.literal('user').describe('Its author: you'),
    content: content.describe('What it says'),
    name,
  }),
  z.object({
    role: z.literal('assistant').describe('Its author: the model'),
    content: answerContent.nullish().describe('What it said'),
    refusal: z.string().nullish().describe('What it said instead'),
    tool_calls: z.array(Call).optional().describe('Its calls of your functions'),
    annotations: unused('Notes'),
    function_call: neutral('A call of the time before `tool_calls`'),
    name,
  }),
  z.object({
    role: z.literal('tool').describe('Its author: your function, called before'),
    tool_call_id: text('The call; one of ours names the run that waits for it'),
    content: content.nullish().describe('A text; null: it is empty'),
    name: unused('The name of the function'),
  }),
])
export type ChatMessage = z.output<typeof Message>

export const ChatInput = z
  .object({
    messages: z.array(Message).min(1).max(1_000).describe('The conversation so far'),
    ...sharedInput,
    stream: z.boolean().optional().describe('Answers with chunks'),
    stream_options: z
      .object({
        include_usage: z.boolean().optional().describe('A last chunk with the usage'),
        include_obfuscation: unused('How the stream is obscured'),
      })
      .optional()
      .describe('What a stream holds'),
    tools: z
      .array(
        z.object({
          type: onlyFunctions(),
          function: FunctionBody.describe('What it is'),
        }),
      )
      .max(LIMITS.caller_tools)
      .optional()
      .describe("Your functions, beside the agent's tools, which run on the server"),
    response_format: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('text').describe('Any text') }),
        z.object({ type: z.literal('json_object').describe('Any JSON object') }),
        z.object({
          type: z.literal('json_schema').describe('Data by a schema'),
          json_schema: z.object(SchemaFormat).describe('The form'),
        }),
      ])
      .optional()
      .describe('The form of the answer, as `output_schema` of a run'),
    max_completion_tokens: shape.max_output_tokens,
    max_tokens: shape.max_output_tokens,
    reasoning_effort: shape.reasoning_effort,
    seed: shape.seed,
    stop: z
      .union([z.string(), z.array(z.string()).max(0), shape.stop.unwrap()])
      .optional()
      .describe('Texts that end an answer'),
    n: z.literal(1).optional().describe('One answer'),
    logprobs: neutral('Likelihoods in the answer', false),
    audio: neutral('Spoken answers'),
    web_search_options: neutral('A search by the provider'),
    functions: neutral('Functions of the time before `tools`', []),
    function_call: neutral('A choice among `functions`', 'auto', 'none'),
    verbosity: unused('How much is said'),
    prediction: unused('A hint at the answer'),
  })
  .meta({
    id: 'ChatInput',
    description:
      'A run in the words of chat completions. Members that mean nothing here are left out and ' +
      'named by `Strata-Ignored`; what cannot be done is refused',
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
    strata: z
      .looseObject({
        run_id: idOf('run', 'The run'),
        ignored: z.array(z.string()).optional().describe('Members that were left out'),
        voided: z
          .literal(true)
          .optional()
          .describe('The text of the step so far is void; this chunk begins it again'),
        content: z
          .string()
          .optional()
          .describe('In the last chunk, when text was void: the whole answer'),
      })
      .optional()
      .describe('What OpenAI has no word for'),
  })
  .meta({
    id: 'ChatCompletionChunk',
    description: 'A piece of a chat completion; `[DONE]` ends the stream',
    examples: CHAT_CHUNKS,
  })
