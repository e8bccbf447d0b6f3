/**
 * Schemas of A2A 1.0 messages (JSON-RPC). Members that have no meaning here are ignored and named.
 */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { Metadata } from '../../../core/run/request.ts'
import { A2A_ANSWERS, A2A_MESSAGES, AGENT_CARDS } from '../shared/examples.ts'
import { LEAVES_OUT, neutral, unused } from '../shared/ignored-members.ts'
import { kindIs, text } from '../shared/words.ts'

const short = (words: string) => z.string().max(2_048).optional().describe(words)
const absent = (words: string) => z.string().max(0, { error: words }).optional().describe(words)
const none = (words: string) => z.array(z.unknown()).max(0, { error: words }).optional()
/** Metadata schema with string values; other values are ignored and named. */
const metadata = () => Metadata.meta(LEAVES_OUT).optional()

const Part = z
  .object({
    text: z.string().optional().describe('Plain text of the part'),
    raw: z.string().optional().describe('Base64-encoded content of the image or file'),
    url: short('HTTPS URL of the image or file'),
    data: z.unknown().optional().describe('JSON data, which the model reads as text'),
    filename: z.string().max(200).optional().describe('File name that the model sees'),
    mediaType: z
      .string()
      .max(200)
      .optional()
      .describe('Media type of the content; `image/…` for images'),
  })
  .refine(
    ({ text, raw, url, data }) =>
      [text, raw, url, data].filter((v) => v !== undefined).length === 1,
    'Exactly one of text, raw, url, and data must be present',
  )
export type Part = z.output<typeof Part>

const Message = z.object({
  messageId: z
    .string()
    .min(1)
    .max(200)
    .describe('ID of the message; a message with the same ID is processed only once'),
  contextId: short('ID of the session to continue'),
  taskId: short(
    "ID of the active task that receives the message; the message answers the task's open " +
      'question',
  ),
  role: z.literal('ROLE_USER').describe('Author role, always the user'),
  parts: z.array(Part).min(1).max(100).describe('Message content'),
  metadata: metadata(),
  extensions: unused('Extensions, none of which is supported'),
  referenceTaskIds: none(
    'Referenced tasks are not read; include the relevant content in the message',
  ),
})
export type Message = z.output<typeof Message>

const tenant = absent('Tenant ID; must be empty, because the API key determines the tenant')
const historyLength = z
  .int()
  .min(0)
  .optional()
  .describe('Number of most recent messages to return; all if omitted')

const PushConfig = z.object({
  tenant,
  id: short('Name of the configuration, always `webhook`'),
  taskId: short('ID of an existing task; must be omitted for a new task'),
  url: z.string().max(2_048).describe('Target URL for the signed events'),
  token: z
    .string()
    .max(200)
    .optional()
    .describe('Signing secret: `whsec_` followed by 24 to 64 bytes in Base64'),
  authentication: neutral(
    'Credentials; deliveries are instead signed with the token according to Standard ' + 'Webhooks',
    {},
  ),
})
export type PushConfig = z.output<typeof PushConfig>

const task = { tenant, id: text('ID of the task') }
const pushOf = { tenant, taskId: text('ID of the task'), id: text('ID of the configuration') }

/** Parameter schemas of each A2A method. */
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
    contextId: short('ID of the session whose tasks are listed'),
    status: z.string().max(40).optional(),
    pageSize: z.int().min(1).max(LIMITS.page).default(50),
    pageToken: short('Cursor for the next page: `nextPageToken` of the previous page'),
    historyLength,
    statusTimestampAfter: short(
      'Start of the time range (RFC 3339); only tasks whose state is from this time or ' +
        'later are listed',
    ),
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
    pageToken: absent('Page token; must be empty, because there is only one page'),
  }),
  DeleteTaskPushNotificationConfig: z.strictObject(pushOf),
  GetExtendedAgentCard: z.object({ tenant }),
} as const
export type Params<M extends keyof typeof METHODS> = z.output<(typeof METHODS)[M]>

const protocol = () => z.literal('2.0').describe('JSON-RPC version')
const id = z
  .union([z.string().max(200), z.int()])
  .describe('ID of the call, returned with the response')

export const A2aMessage = z
  .object({
    jsonrpc: protocol(),
    id,
    method: text('Name of an A2A 1.0 method, such as `SendMessage`'),
    params: z.looseObject({}).optional().describe('Parameters of the method, as defined by A2A'),
  })
  .meta({
    description: 'An A2A 1.0 call (JSON-RPC 2.0)',
    examples: A2A_MESSAGES,
  })

export const A2aAnswer = z
  .looseObject({
    jsonrpc: protocol(),
    id: id.nullable().describe('ID of the call; `null` if the ID could not be read'),
    result: z.unknown().optional().describe('Result of the method, as defined by A2A'),
    error: z
      .looseObject({
        code: z.int().describe('A2A error code, such as -32001 for a task that was not found'),
        message: text('Human-readable explanation'),
      })
      .optional()
      .describe('Error that prevented a result'),
  })
  .meta({
    id: 'A2aAnswer',
    description: 'An A2A 1.0 response (JSON-RPC 2.0), or one of several in a stream',
    examples: A2A_ANSWERS,
  })

export const AgentCard = z
  .looseObject({
    name: text('Human-readable agent name'),
    description: text("The agent's purpose"),
    version: text('Agent card version'),
    supportedInterfaces: z
      .array(
        z.looseObject({
          url: text('Endpoint URL'),
          protocolBinding: text('Protocol binding, always `JSONRPC`'),
          protocolVersion: text('A2A version that the endpoint implements'),
        }),
      )
      .describe("The agent's interfaces"),
    capabilities: z.looseObject({}).describe('Optional capabilities'),
    skills: z
      .array(z.looseObject({ id: text('The agent'), name: text('Description for people') }))
      .describe("The agent's skills"),
  })
  .meta({
    id: 'AgentCard',
    description: 'An agent as defined by A2A; includes further A2A members',
    examples: AGENT_CARDS,
  })

export const AgentCardList = z
  .strictObject({
    object: kindIs('list'),
    data: z.array(AgentCard).describe('Agent cards, one for each public agent'),
  })
  .meta({
    description: 'Agent cards for all public agents',
    examples: [{ object: 'list', data: AGENT_CARDS }],
  })
