/** Input as OpenAI's clients write it, as far as it means something here. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { RESPONSE_INPUTS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored-members.ts'
import { ModelSettings } from '../shared/models.ts'
import { metadataGiven, text } from '../shared/words.ts'

const shape = ModelSettings.shape
const optional = (words: string) => z.string().optional().describe(words)
const textPart = (type: 'input_text' | 'output_text') =>
  z.object({
    type: z.literal(type).describe('A text'),
    text: text('Content of the part'),
    annotations: unused('Annotations of an answer that is sent back'),
    logprobs: unused('Log probabilities of an answer that is sent back'),
  })
const Part = z.discriminatedUnion(
  'type',
  [
    textPart('input_text'),
    textPart('output_text'),
    z.object({
      type: z.literal('refusal').describe('Text of a refusal'),
      refusal: text('Text of the refusal'),
    }),
    z.object({
      type: z.literal('input_image').describe('A picture'),
      image_url: text('HTTPS URL, or a data URL in Base64'),
      detail: unused('Level of detail'),
    }),
    z.object({
      type: z.literal('input_file').describe('A file: text, PDF, picture, or sound'),
      file_data: optional('A data URL, or Base64'),
      file_url: optional('HTTPS URL'),
      filename: optional('Name for the model'),
    }),
  ],
  { error: 'A part is a text, a picture, or a file, by its type.' },
)
const error = 'A text, or parts {type, …} with texts, pictures, and files by URL or data URL.'
const Content = z
  .union([z.string(), z.array(Part)], { error })
  .meta({ id: 'ResponseContent', description: 'Content of an item: a text, or parts' })
export type InputContent = z.output<typeof Content>
const AnswerContent = z.union([z.string(), z.array(Part.meta(LEAVES_OUT))], { error }).meta({
  id: 'ResponseAnswerContent',
  description: 'Content of an answer that is sent back; other kinds of parts are ignored',
})

const of = {
  id: z.string().nullish().describe('ID of the item; ignored'),
  status: z.string().nullish().describe('Status of the item; ignored'),
}
const isMessage = z.literal('message').nullish().describe('A message; can be omitted')
const Message = z.object({
  type: isMessage,
  role: z
    .enum(['user', 'system', 'developer'])
    .describe('Role of the author; system and developer messages follow the prompt of the agent'),
  content: Content.describe('Content of the message'),
  phase: unused('Phase of an answer that is sent back'),
  ...of,
})
const Answer = z.object({
  type: isMessage,
  role: z.literal('assistant').describe('Role of the author: the model'),
  content: AnswerContent.nullish().describe('Content; null: none'),
  phase: unused('Phase of an answer that is sent back'),
  ...of,
})
const FunctionCall = z.object({
  type: z.literal('function_call').describe('A call that a model made'),
  call_id: text('Name of the entry'),
  name: text('The function'),
  arguments: text('Arguments as JSON text'),
  ...of,
})
const FunctionOutput = z.object({
  type: z.literal('function_call_output').describe('The result of a call of your function'),
  call_id: text('ID of the call; a call of this server names the run that waits for it'),
  output: Content.nullish().describe('A text, or parts of text; null: empty'),
  ...of,
})
const ServerCall = z.object({
  type: z.literal('mcp_call').describe('A call that the agent made, sent back'),
  server_label: text('Name of its server'),
  name: text('The tool'),
  arguments: text('Arguments as JSON text'),
  output: z.string().nullish().describe('Its result'),
  error: z.string().nullish().describe('Why it failed'),
  ...of,
})
const Reference = z.object({
  type: z
    .literal('item_reference')
    .describe('A reference to an item; refused, except for reasoning'),
  id: text('ID of the item'),
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
  .describe('JSON Schema of its arguments, of type object')
/** Tools of a provider are refused: an agent that lacks its tools would do something else. */
export const onlyFunctions = () =>
  z
    .literal('function', {
      error: 'Only functions are supported; the agent determines all other tools.',
    })
    .describe('A function that you perform')
export const FunctionTool = z.object({
  type: onlyFunctions(),
  name: text('1 to 64 of A-Z a-z 0-9 _ -; not the name of a built-in tool'),
  description: z.string().nullish().describe('What it does, for the model'),
  parameters,
  strict: z
    .unknown()
    .optional()
    .describe('Ignored: arguments are always validated against the schema'),
})
export type FunctionTool = Pick<
  z.output<typeof FunctionTool>,
  'name' | 'description' | 'parameters'
>
export const FunctionBody = FunctionTool.omit({ type: true })

export const SchemaFormat = {
  name: optional('Name of the format; ignored'),
  description: optional('Description of the format; ignored'),
  schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the answer'),
  strict: z.unknown().optional().describe('Ignored: the answer is always validated'),
}
const Format = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text').describe('Any text') }),
    z.object({ type: z.literal('json_object').describe('Any JSON object') }),
    z.object({
      type: z.literal('json_schema').describe('Data that conforms to a schema'),
      ...SchemaFormat,
    }),
  ])
  .optional()
  .describe('Format of the answer, like `output_schema` of a run')

/** Members that both APIs have. */
export const sharedInput = {
  model: optional(
    '`agent/<name>`: an agent. Otherwise a model or an alias for the default agent, or ' +
      'for that of the conversation. If omitted, the default agent with its model',
  ),
  metadata: metadataGiven(),
  temperature: shape.temperature,
  top_p: shape.top_p,
  parallel_tool_calls: shape.parallel_tool_calls,
  tool_choice: z
    .literal('auto')
    .optional()
    .describe('Only `auto`: the agent determines which tools it calls'),
  store: z.boolean().optional().describe('Ignored: a run is always stored'),
  user: unused('Your identifier of the end user'),
  safety_identifier: unused('Your identifier of the end user'),
  prompt_cache_key: unused('A hint for caches'),
  prompt_cache_retention: unused('A hint for caches'),
  service_tier: unused('Service tier'),
  frequency_penalty: neutral('Frequency penalty', 0),
  presence_penalty: neutral('Presence penalty', 0),
  logit_bias: neutral('Bias of tokens', {}),
  top_logprobs: neutral('Whether to return log probabilities', 0),
  modalities: neutral('Output modalities', ['text'], []),
}

export const ResponseInput = z
  .object({
    input: z
      .union([z.string(), z.array(Item).max(1_000)], {
        error:
          'The input is a text, or a list of items: messages {role, content}, function_call, ' +
          'function_call_output, mcp_call.',
      })
      .describe('A text, or items: messages and results of your functions'),
    ...sharedInput,
    instructions: optional('Text that follows the prompt of the agent, for this run only'),
    previous_response_id: optional(
      'Continues the conversation of this response; with results of functions, its run',
    ),
    conversation: z
      .union([z.string(), z.object({ id: text('The session') })])
      .optional()
      .describe('The session (`ses_` and 26 characters) whose next turn this is'),
    background: z
      .boolean()
      .optional()
      .describe('Whether to return at once; read or stream the response later'),
    stream: z.boolean().optional().describe('Whether to stream events'),
    stream_options: unused('Whether to obfuscate the stream'),
    tools: z
      .array(FunctionTool)
      .max(LIMITS.caller_tools)
      .optional()
      .describe("Your functions, in addition to the agent's tools, which run on the server"),
    text: z
      .object({ format: Format, verbosity: unused('Verbosity of the answer') })
      .optional()
      .describe('Format of the answer'),
    max_output_tokens: shape.max_output_tokens,
    max_tool_calls: z
      .null()
      .optional()
      .describe('Not supported; `limits` of a run bound its steps'),
    prompt: neutral('A prompt that a provider stores; not supported'),
    reasoning: z
      .object({
        effort: shape.reasoning_effort,
        summary: unused('Whether to return reasoning'),
      })
      .optional()
      .describe('Reasoning effort'),
    include: unused('Additional output'),
    truncation: unused('Ignored: long conversations are always summarized, never refused'),
  })
  .meta({
    id: 'ResponseInput',
    description:
      'A run for clients of OpenAI. Members and items without an effect are ignored and ' +
      'listed in `Strata-Ignored`; unsupported requests are refused',
    examples: RESPONSE_INPUTS,
  })
