/** Messages of A2A 1.0 (JSON-RPC): members that mean nothing here are left out and named. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { Metadata } from '../../../core/run/request.ts'
import { A2A_ANSWERS, A2A_MESSAGES, AGENT_CARDS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored.ts'
import { kindIs, text } from '../shared/words.ts'

const short = (words: string) => z.string().max(2_048).optional().describe(words)
const absent = (words: string) => z.string().max(0, { error: words }).optional().describe(words)
const none = (words: string) => z.array(z.unknown()).max(0, { error: words }).optional()
/** A run keeps texts; other values are left out and named. */
const metadata = () => Metadata.meta(LEAVES_OUT).optional()

const Part = z
  .object({
    text: z.string().optional().describe('A text'),
    raw: z.string().optional().describe('The bytes of a picture or file in base64'),
    url: short('The https address of a picture or file'),
    data: z.unknown().optional().describe('JSON; the model reads it as a text'),
    filename: z.string().max(200).optional().describe('Its name for the model'),
    mediaType: z.string().max(200).optional().describe('Its type; pictures are `image/…`'),
  })
  .refine(
    ({ text, raw, url, data }) =>
      [text, raw, url, data].filter((v) => v !== undefined).length === 1,
    'Exactly one of text, raw, url and data is needed',
  )
export type Part = z.output<typeof Part>

const Message = z.object({
  messageId: z
    .string()
    .min(1)
    .max(200)
    .describe('The same id is the same message, however often it comes'),
  contextId: short('The session to go on with'),
  taskId: short('The live task that the message is for: it answers its question'),
  role: z.literal('ROLE_USER').describe('You are the user'),
  parts: z.array(Part).min(1).max(100).describe('What it says'),
  metadata: metadata(),
  extensions: unused('Extensions: none is known here'),
  referenceTaskIds: none('Other tasks are not read here: say what matters of them'),
})
export type Message = z.output<typeof Message>

const tenant = absent('The tenant follows from the key')
const historyLength = z
  .int()
  .min(0)
  .optional()
  .describe('So many of the last messages; default: all')

const PushConfig = z.object({
  tenant,
  id: short('Its name; ours is `webhook`'),
  taskId: short('Only of the task itself'),
  url: z.string().max(2_048).describe('Target of the signed events'),
  token: z
    .string()
    .max(200)
    .optional()
    .describe('The secret of the signatures: `whsec_` and 24 to 64 bytes in base 64'),
  authentication: neutral(
    'Credentials: deliveries are signed with the token, as Standard Webhooks has it',
    {},
  ),
})
export type PushConfig = z.output<typeof PushConfig>

const task = { tenant, id: text('The task') }
const pushOf = { tenant, taskId: text('The task'), id: text('The configuration') }

/** Parameters of each method. */
export const METHODS = {
  SendMessage: z.object({
    tenant,
    message: Message,
    configuration: z
      .object({
        acceptedOutputModes: z.array(z.string().max(200)).max(100).optional(),
        taskPushNotificationConfig: PushConfig.optional(),
        historyLength,
        returnImmediately: z.boolean().optional(),
      })
      .optional(),
    metadata: metadata(),
  }),
  GetTask: z.object({ ...task, historyLength }),
  ListTasks: z.object({
    tenant,
    contextId: short('Tasks of this session'),
    status: z.string().max(40).optional(),
    pageSize: z.int().min(1).max(LIMITS.page).default(50),
    pageToken: short('`nextPageToken` of the page before'),
    historyLength,
    statusTimestampAfter: short('Tasks whose state is from then (RFC 3339) or later'),
    includeArtifacts: z.boolean().default(false),
  }),
  CancelTask: z.object({
    ...task,
    metadata: unused('Notes'),
  }),
  SubscribeToTask: z.strictObject(task),
  CreateTaskPushNotificationConfig: PushConfig,
  GetTaskPushNotificationConfig: z.strictObject(pushOf),
  ListTaskPushNotificationConfigs: z.object({
    tenant,
    taskId: pushOf.taskId,
    pageSize: z.int().min(0).optional(),
    pageToken: absent('There is one page'),
  }),
  DeleteTaskPushNotificationConfig: z.strictObject(pushOf),
  GetExtendedAgentCard: z.object({ tenant }),
} as const
export type Params<M extends keyof typeof METHODS> = z.output<(typeof METHODS)[M]>

const protocol = () => z.literal('2.0').describe('The version of JSON-RPC')
const id = z.union([z.string().max(200), z.int()]).describe('Comes back with the answer')

export const A2aMessage = z
  .object({
    jsonrpc: protocol(),
    id,
    method: text('A method of A2A 1.0, e.g. `SendMessage`'),
    params: z.looseObject({}).optional().describe('Its parameters, as A2A has them'),
  })
  .meta({
    description: 'A call of A2A 1.0 (JSON-RPC 2.0)',
    examples: A2A_MESSAGES,
  })

export const A2aAnswer = z
  .looseObject({
    jsonrpc: protocol(),
    id: id.nullable().describe('That of the call; null: it could not be read'),
    result: z.unknown().optional().describe('Result of the method, as A2A has it'),
    error: z
      .looseObject({
        code: z.int().describe('As A2A has it, e.g. -32001: no such task'),
        message: text('Explanation for people'),
      })
      .optional()
      .describe('Why there is no result'),
  })
  .meta({
    id: 'A2aAnswer',
    description: 'An answer of A2A 1.0 (JSON-RPC 2.0); of a stream, one of several',
    examples: A2A_ANSWERS,
  })

export const AgentCard = z
  .looseObject({
    name: text('The agent, for people'),
    description: text('What it does'),
    version: text('The version of this card'),
    supportedInterfaces: z
      .array(
        z.looseObject({
          url: text('Where it is called'),
          protocolBinding: text('Always `JSONRPC`'),
          protocolVersion: text('The version of A2A that is spoken there'),
        }),
      )
      .describe('How it is reached'),
    capabilities: z.looseObject({}).describe('What it can do besides'),
    skills: z
      .array(z.looseObject({ id: text('The agent'), name: text('For people') }))
      .describe('What it is for'),
  })
  .meta({
    id: 'AgentCard',
    description: 'An agent as A2A describes it. It holds more members, as A2A does',
    examples: AGENT_CARDS,
  })

export const AgentCardList = z
  .strictObject({
    object: kindIs('list'),
    data: z.array(AgentCard).describe('A card for each agent that is shown'),
  })
  .meta({
    description: 'The cards of all agents',
    examples: [{ object: 'list', data: AGENT_CARDS }],
  })
