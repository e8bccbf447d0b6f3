/** Messages of A2A 1.0 (JSON-RPC): members that mean nothing here are left out and named. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { Metadata } from '../../../core/run/request.ts'
import { A2A_ANSWERS, A2A_MESSAGES, AGENT_CARDS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored-members.ts'
import { kindIs, text } from '../shared/words.ts'

const short = (words: string) => z.string().max(2_048).optional().describe(words)
const absent = (words: string) => z.string().max(0, { error: words }).optional().describe(words)
const none = (words: string) => z.array(z.unknown()).max(0, { error: words }).optional()
/** A run keeps texts; other values are left out and named. */
const metadata = () => Metadata.meta(LEAVES_OUT).optional()

const Part = z
  .object({
    text: z.string().optional().describe('A text'),
    raw: z.string().optional().describe('Content of the picture or file in Base64'),
    url: short('HTTPS URL of the picture or file'),
    data: z.unknown().optional().describe('JSON, which the model reads as text'),
    filename: z.string().max(200).optional().describe('Name for the model'),
    mediaType: z.string().max(200).optional().describe('Media type; pictures are `image/…`'),
  })
  .refine(
    ({ text, raw, url, data }) =>
      [text, raw, url, data].filter((v) => v !== undefined).length === 1,
    'Exactly one of text, raw, url, and data is required',
  )
export type Part = z.output<typeof Part>

const Message = z.object({
  messageId: z
    .string()
    .min(1)
    .max(200)
    .describe('ID of the message; the same ID is the same message, however often it is sent'),
  contextId: short('The session to continue'),
  taskId: short('The active task that receives the message, and whose question it answers'),
  role: z.literal('ROLE_USER').describe('Role of the author: the user'),
  parts: z.array(Part).min(1).max(100).describe('Content of the message'),
  metadata: metadata(),
  extensions: unused('Extensions; none is supported'),
  referenceTaskIds: none('Other tasks are not read; include what is relevant in the message'),
})
export type Message = z.output<typeof Message>

const tenant = absent('Ignored, because the tenant follows from the key')
const historyLength = z
  .int()
  .min(0)
  .optional()
  .describe('Number of most recent messages; default: all')

const PushConfig = z.object({
  tenant,
  id: short('Name of the configuration; always `webhook`'),
  taskId: short('Only for the task itself'),
  url: z.string().max(2_048).describe('Target URL of the signed events'),
  token: z
    .string()
    .max(200)
    .optional()
    .describe('Secret of the signatures: `whsec_` and 24 to 64 bytes in Base64'),
  authentication: neutral(
    'Credentials; deliveries are signed with the token according to Standard Webhooks',
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
    pageToken: short('`nextPageToken` of the previous page'),
    historyLength,
    statusTimestampAfter: short('Tasks whose state is from this time (RFC 3339) or later'),
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
    pageToken: absent('There is only one page'),
  }),
  DeleteTaskPushNotificationConfig: z.strictObject(pushOf),
  GetExtendedAgentCard: z.object({ tenant }),
} as const
export type Params<M extends keyof typeof METHODS> = z.output<(typeof METHODS)[M]>

const protocol = () => z.literal('2.0').describe('JSON-RPC version')
const id = z.union([z.string().max(200), z.int()]).describe('Returned with the response')

export const A2aMessage = z
  .object({
    jsonrpc: protocol(),
    id,
    method: text('A method of A2A 1.0, such as `SendMessage`'),
    params: z.looseObject({}).optional().describe('Parameters of the method, as A2A defines them'),
  })
  .meta({
    description: 'A call of A2A 1.0 (JSON-RPC 2.0)',
    examples: A2A_MESSAGES,
  })

export const A2aAnswer = z
  .looseObject({
    jsonrpc: protocol(),
    id: id.nullable().describe('ID of the call; null: it could not be read'),
    result: z.unknown().optional().describe('Result of the method, as A2A defines it'),
    error: z
      .looseObject({
        code: z.int().describe('Error code of A2A, such as -32001: task not found'),
        message: text('Explanation for people'),
      })
      .optional()
      .describe('Why there is no result'),
  })
  .meta({
    id: 'A2aAnswer',
    description: 'A response of A2A 1.0 (JSON-RPC 2.0), or one of several in a stream',
    examples: A2A_ANSWERS,
  })

export const AgentCard = z
  .looseObject({
    name: text('Name of the agent, for people'),
    description: text('Purpose of the agent'),
    version: text('Version of this card'),
    supportedInterfaces: z
      .array(
        z.looseObject({
          url: text('URL of the endpoint'),
          protocolBinding: text('Always `JSONRPC`'),
          protocolVersion: text('A2A version of the endpoint'),
        }),
      )
      .describe('Interfaces of the agent'),
    capabilities: z.looseObject({}).describe('Optional capabilities'),
    skills: z
      .array(z.looseObject({ id: text('The agent'), name: text('For people') }))
      .describe('Purpose of the skill'),
  })
  .meta({
    id: 'AgentCard',
    description: 'An agent as A2A describes it; has further members of A2A',
    examples: AGENT_CARDS,
  })

export const AgentCardList = z
  .strictObject({
    object: kindIs('list'),
    data: z.array(AgentCard).describe('A card for each public agent'),
  })
  .meta({
    description: 'Cards of all agents',
    examples: [{ object: 'list', data: AGENT_CARDS }],
  })
