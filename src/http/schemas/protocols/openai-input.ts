/** Input as OpenAI's clients write it, as far as it means something here. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { RESPONSE_INPUTS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored.ts'
import { ModelSettings } from '../shared/models.ts'
import { metadataGiven, text } from '../shared/words.ts'

const shape = ModelSettings.shape
const optional = (words: string) => z.string().optional().describe(words)
const said = (type: 'input_text' | 'output_text') =>
  z.object({
    type: z.literal(type).describe('A text'),
    text: text('Its words'),
    annotations: unused('Notes of an answer that is sent back'),
    logprobs: unused('Likelihoods of an answer that is sent back'),
  })
const Part = z.discriminatedUnion(
  'type',
  [
    said('input_text'),
    said('output_text'),
    z.object({
      type: z.literal('refusal').describe('An answer that was refused'),
      refusal: text('Its words'),
    }),
    z.object({
      type: z.literal('input_image').describe('A picture'),
      image_url: text('Its https address, or a data URL in base64'),
      detail: unused('How closely it is looked at'),
    }),
    z.object({
      type: z.literal('input_file').describe('A file: text, PDF, picture or sound'),
      file_data: optional('A data URL, or base64'),
      file_url: optional('Its https address'),
      filename: optional('Its name for the model'),
    }),
  ],
  { error: 'A part is a text, a picture, or a file, by its type.' },
)
const error = 'A text, or parts {type, …} with texts, pictures and files by address or data URL.'
const Content = z
  .union([z.string(), z.array(Part)], { error })
  .meta({ id: 'ResponseContent', description: 'Content of an item: a text, or parts' })
export type InputContent = z.output<typeof Content>
const AnswerContent = z.union([z.string(), z.array(Part.meta(LEAVES_OUT))], { error }).meta({
  id: 'ResponseAnswerContent',
  description: 'Content of an answer that is sent back; parts of other kinds are left out',
})

const of = {
  id: z.string().nullish().describe('The id of the item; not used'),
  status: z.string().nullish().describe('Its status; not used'),
}
const isMessage = z.literal('message').nullish().describe('A message; may be left out')
const Message = z.object({
  type: isMessage,
  role: z
    .enum(['user', 'system', 'developer'])
    .describe('Its author; what system and developer say follows the prompt of the agent'),
  content: Content.describe('What it says'),
  phase: unused('The phase of an answer that is sent back'),
  ...of,
})
const Answer = z.object({
  type: isMessage,
  role: z.literal('assistant').describe('Its author: the model'),
  content: AnswerContent.nullish().describe('What it said; null: nothing'),
  phase: unused('The phase of an answer that is sent back'),
  ...of,
})
const FunctionCall = z.object({
  type: z.literal('function_call').describe('A call that a model has made'),
  call_id: text('Its name'),
  name: text('The function'),
  arguments: text('JSON text'),
  ...of,
})
const FunctionOutput = z.object({
  type: z.literal('function_call_output').describe('The result of a call of your function'),
  call_id: text('The call; one of ours names the run that waits for it'),
  output: Content.nullish().describe('A text, or parts of text; null: it is empty'),
  ...of,
})
const ServerCall = z.object({
  type: z.literal('mcp_call').describe('A call that the agent has made, sent back'),
  server_label: text('Its server'),
  name: text('The tool'),
  arguments: text('JSON text'),
  output: z.string().nullish().describe('Its result'),
  error: z.string().nullish().describe('Why it failed'),
  ...of,
})
const Reference = z.object({
  type: z.literal('item_reference').describe('An item by its id: refused, but for reasoning'),
  id: text('The id of the item'),
})
const Item = z
  .union([FunctionCall, FunctionOutput, ServerCall, Reference, Message, Answer], {
    error: 'An item is a message {role, content} or {type, …}.',
  })
  .meta(LEAVES_OUT)
export type InputItem = z.output<typeof Item>

const parameters = z
  .record(z.string(), z.unknown())
  .nullish()
  .describe('JSON Schema of its arguments, an object')
/** Tools of a provider are refused: an agent that lacks its tools would do something else. */
export const onlyFunctions = () =>
  z
    .literal('function', {
      error: 'Only functions are taken: which other tools there are is up to the agent.',
    })
    .describe('A function that you perform')
export const FunctionTool = z.object({
  type: onlyFunctions(),
  name: text('1 to 64 of A-Z a-z 0-9 _ -; no name of a tool of ours'),
  description: z.string().nullish().describe('What it does, for the model'),
  parameters,
  strict: z.unknown().optional().describe('Arguments are checked by the schema in any case'),
})
export type FunctionTool = Pick<
  z.output<typeof FunctionTool>,
  'name' | 'description' | 'parameters'
>
export const FunctionBody = FunctionTool.omit({ type: true })

export const SchemaFormat = {
  name: optional('A name of the form; not used'),
  description: optional('What it is for; not used'),
  schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the answer'),
  strict: z.unknown().optional().describe('The answer is checked in any case'),
}
const Format = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text').describe('Any text') }),
    z.object({ type: z.literal('json_object').describe('Any JSON object') }),
    z.object({
      type: z.literal('json_schema').describe('Data by a schema'),
      ...SchemaFormat,
    }),
  ])
  .optional()
  .describe('The form of the answer, as `output_schema` of a run')

/** Members that both APIs have. */
export const sharedInput = {
  model: optional(
    '`agent/<name>`: an agent. Anything else: a model or an alias for the default agent, or for ' +
      "the conversation's. Omitted: the default agent with its model",
  ),
  metadata: metadataGiven(),
  temperature: shape.temperature,
  top_p: shape.top_p,
  parallel_tool_calls: shape.parallel_tool_calls,
  tool_choice: z
    .literal('auto')
    .optional()
    .describe('Only `auto`: which tools are called is up to the agent'),
  store: z.boolean().optional().describe('A run is kept in any case: `false` changes nothing'),
  user: unused('Your name for the end user'),
  safety_identifier: unused('Your name for the end user'),
  prompt_cache_key: unused('A hint for caches'),
  prompt_cache_retention: unused('A hint for caches'),
  service_tier: unused('A class of service'),
  frequency_penalty: neutral('Penalty of frequent words', 0),
  presence_penalty: neutral('Penalty of words that came before', 0),
  logit_bias: neutral('Likelihood of tokens', {}),
  top_logprobs: neutral('Likelihoods in the answer', 0),
  modalities: neutral('Kinds of answers', ['text'], []),
}

export const ResponseInput = z
  .object({
    input: z
      .union([z.string(), z.array(Item).max(1_000)], {
        error:
          'The input is a text, or a list of items: messages {role, content}, function_call, ' +
          'function_call_output, mcp_call.',
      })
      .describe('A text, or items: messages, results of your functions'),
    ...sharedInput,
    instructions: optional('Follows the prompt of the agent, for this run alone'),
    previous_response_id: optional(
      'Goes on with its conversation; with results of functions: with its run',
    ),
    conversation: z
      .union([z.string(), z.object({ id: text('The session') })])
      .optional()
      .describe('A session (`ses_` and 26 characters) whose next turn this is'),
    background: z.boolean().optional().describe('Answers at once; read or stream it later'),
    stream: z.boolean().optional().describe('Answers with events'),
    stream_options: unused('How the stream is obscured'),
    tools: z
      .array(FunctionTool)
      .max(LIMITS.caller_tools)
      .optional()
      .describe("Your functions, beside the agent's tools, which run on the server"),
    text: z
      .object({ format: Format, verbosity: unused('How much is said') })
      .optional()
      .describe('How the answer is written'),
    max_output_tokens: shape.max_output_tokens,
    max_tool_calls: z.null().optional().describe('Not taken: `limits` of a run bound its steps'),
    prompt: neutral('A prompt that a provider keeps'),
    reasoning: z
      .object({
        effort: shape.reasoning_effort,
        summary: unused('Whether thoughts are shown'),
      })
      .optional()
      .describe('How hard the model thinks'),
    include: unused('More output'),
    truncation: unused('Long conversations are always shortened, never refused'),
  })
  .meta({
    id: 'ResponseInput',
    description:
      'A run in the words of OpenAI. Members and items that mean nothing here are left out and ' +
      'named by `Strata-Ignored`; what cannot be done is refused',
    examples: RESPONSE_INPUTS,
  })
