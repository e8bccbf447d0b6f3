/** Schemas of the supported input of OpenAI clients. */

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
    type: z.literal(type).describe('Type of the part: plain text'),
    text: text('Content of the part'),
    annotations: unused('Annotations from an earlier response that is sent back'),
    logprobs: unused('Log probabilities from an earlier response that is sent back'),
  })
const Part = z.discriminatedUnion(
  'type',
  [
    textPart('input_text'),
    textPart('output_text'),
    z.object({
      type: z.literal('refusal').describe('Refusal text'),
      refusal: text('Refusal text'),
    }),
    z.object({
      type: z.literal('input_image').describe('A picture'),
      image_url: text('HTTPS URL, or Base64 data URL'),
      detail: unused('Level of detail for the image'),
    }),
    z.object({
      type: z.literal('input_file').describe('A file: text, PDF, image, or audio'),
      file_data: optional('Content as a data URL or in Base64'),
      file_url: optional('HTTPS URL of the content'),
      filename: optional('File name that the model sees'),
    }),
  ],
  { error: 'Each part must be text, an image, or a file.' },
)
const error =
  'The content must be a string or a list of parts {type, …} with text, images, and ' +
  'files by URL or data URL.'
const Content = z
  .union([z.string(), z.array(Part)], { error })
  .meta({ id: 'ResponseContent', description: 'Item content: a string or a list of parts' })
export type InputContent = z.output<typeof Content>
const AnswerContent = z.union([z.string(), z.array(Part.meta(LEAVES_OUT))], { error }).meta({
  id: 'ResponseAnswerContent',
  description:
    'Content from an earlier response that is sent back; other kinds of parts are ignored',
})

const of = {
  id: z.string().nullish().describe('ID of the item; ignored'),
  status: z.string().nullish().describe('Status of the item; ignored'),
}
const isMessage = z
  .literal('message')
  .nullish()
  .describe('Type of the item: a message; can be omitted')
const Message = z.object({
  type: isMessage,
  role: z
    .enum(['user', 'system', 'developer'])
    .describe("Author role; system and developer messages follow the agent's prompt"),
  content: Content.describe('Message content'),
  phase: unused('Phase from an earlier response that is sent back'),
  ...of,
})
const Answer = z.object({
  type: isMessage,
  role: z.literal('assistant').describe('Author role, always the model'),
  content: AnswerContent.nullish().describe('Message content; `null` if there is none'),
  phase: unused('Phase from an earlier response that is sent back'),
  ...of,
})
const FunctionCall = z.object({
  type: z.literal('function_call').describe('Type of the item: a call that a model made'),
  call_id: text('ID or name of the entry'),
  name: text('Name of the function'),
  arguments: text('Call arguments, as JSON text'),
  ...of,
})
const FunctionOutput = z.object({
  type: z
    .literal('function_call_output')
    .describe('Type of the item: the result of a call to your function'),
  call_id: text(
    'ID of the call; for a call from this server, identifies the run that waits for the ' +
      'result',
  ),
  output: Content.nullish().describe(
    'Call result: a string or a list of text parts; `null` if empty',
  ),
  ...of,
})
const ServerCall = z.object({
  type: z
    .literal('mcp_call')
    .describe('Type of the item: a call that the agent made and that is sent back'),
  server_label: text('Name of the MCP server'),
  name: text('Name of the tool'),
  arguments: text('Call arguments, as JSON text'),
  output: z.string().nullish().describe('Call result'),
  error: z.string().nullish().describe('Reason for the failure'),
  ...of,
})
const Reference = z.object({
  type: z
    .literal('item_reference')
    .describe(
      'Type of the item: a reference to another item; rejected, except for reasoning items',
    ),
  id: text('ID of the item'),
})
const Item = z
  .union([FunctionCall, FunctionOutput, ServerCall, Reference, Message, Answer], {
    error: 'An item must be a message {role, content} or {type, …}.',
  })
  .meta(LEAVES_OUT)
export type InputItem = z.output<typeof Item>

const parameters = z
  .record(z.string(), z.unknown())
  .nullish()
  .describe("JSON Schema of the function's arguments, of type object")
/**
 * Creates a tools schema that rejects the provider's own tools, because an agent without its tools
 * would behave differently.
 */
export const onlyFunctions = () =>
  z
    .literal('function', {
      error: 'Only tools of type "function" are accepted; the agent determines all other tools.',
    })
    .describe('Type of the tool: a function that you execute')
export const FunctionTool = z.object({
  type: onlyFunctions(),
  name: text(
    'Name of the function: 1 to 64 characters from A-Z a-z 0-9 _ -; must not be the name ' +
      'of a built-in tool',
  ),
  description: z.string().nullish().describe('Function description for the model'),
  parameters,
  strict: z
    .unknown()
    .optional()
    .describe(
      'Whether to enforce the schema; ignored, because arguments are always validated ' +
        'against the schema',
    ),
})
export type FunctionTool = Pick<
  z.output<typeof FunctionTool>,
  'name' | 'description' | 'parameters'
>
export const FunctionBody = FunctionTool.omit({ type: true })

export const SchemaFormat = {
  name: optional('Name of the format; ignored'),
  description: optional('Description of the format; ignored'),
  schema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the response'),
  strict: z
    .unknown()
    .optional()
    .describe('Whether to enforce the schema; ignored, because the response is always validated'),
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
  .describe("Format of the response, equivalent to a run's `output_schema`")

/** Input members that both OpenAI APIs share. */
export const sharedInput = {
  model: optional(
    "Agent (`agent/<name>`), or a model or alias for the conversation's agent or the " +
      'default agent. If omitted, the default agent with its own model',
  ),
  metadata: metadataGiven(),
  temperature: shape.temperature,
  top_p: shape.top_p,
  parallel_tool_calls: shape.parallel_tool_calls,
  tool_choice: z
    .literal('auto')
    .optional()
    .describe('Tool choice; must be `auto`, because the agent determines which tools to call'),
  store: z
    .boolean()
    .optional()
    .describe('Whether to store the response; ignored, because runs are always stored'),
  user: unused('Your identifier for the end user'),
  safety_identifier: unused('Your identifier for the end user'),
  prompt_cache_key: unused('Caching hint'),
  prompt_cache_retention: unused('Caching hint'),
  service_tier: unused('Service tier'),
  frequency_penalty: neutral('Frequency penalty', 0),
  presence_penalty: neutral('Presence penalty', 0),
  logit_bias: neutral('Token biases', {}),
  top_logprobs: neutral('Whether to return log probabilities', 0),
  modalities: neutral('Output modalities', ['text'], []),
}

export const ResponseInput = z
  .object({
    input: z
      .union([z.string(), z.array(Item).max(1_000)], {
        error:
          'The input must be a string or a list of items: messages {role, content}, ' +
          'function_call, function_call_output, mcp_call.',
      })
      .describe('Input for the run: a string, or a list of messages and function results'),
    ...sharedInput,
    instructions: optional("Text that follows the agent's prompt, for this run only"),
    previous_response_id: optional(
      'ID of the response to continue; with function results, the same run continues, ' +
        'otherwise the conversation',
    ),
    conversation: z
      .union([z.string(), z.object({ id: text('ID of the session') })])
      .optional()
      .describe(
        'ID of the session (`ses_` followed by 26 characters) in which to create the next turn',
      ),
    background: z
      .boolean()
      .optional()
      .describe('Whether to return immediately; read or stream the response later'),
    stream: z.boolean().optional().describe('Whether to stream events'),
    stream_options: unused('Whether to obfuscate the stream'),
    tools: z
      .array(FunctionTool)
      .max(LIMITS.caller_tools)
      .optional()
      .describe(
        "Functions that you execute, in addition to the agent's tools, which run on the " +
          'server',
      ),
    text: z
      .object({ format: Format, verbosity: unused('Verbosity of the response') })
      .optional()
      .describe('Response format'),
    max_output_tokens: shape.max_output_tokens,
    max_tool_calls: z
      .null()
      .optional()
      .describe(
        "Maximum number of tool calls; not supported. Use the run's `limits` to bound the " +
          'number of steps',
      ),
    prompt: neutral('Prompt stored with a provider'),
    reasoning: z
      .object({
        effort: shape.reasoning_effort,
        summary: unused('Whether to return reasoning summaries'),
      })
      .optional()
      .describe('Reasoning effort'),
    include: unused('Additional output to include'),
    truncation: unused(
      'Truncation strategy; long conversations are always summarized, never rejected',
    ),
  })
  .meta({
    id: 'ResponseInput',
    description:
      'A run for OpenAI clients. Members and items without an effect are ignored and listed ' +
      'in `Strata-Ignored`; unsupported requests are rejected',
    examples: RESPONSE_INPUTS,
  })
