/** Schemas of MCP messages, as far as the contract describes them; MCP defines their meaning. */

import * as z from 'zod'

const protocol = () => z.literal('2.0').describe('JSON-RPC version')

/** Extends a schema to accept a batch, because older clients send several messages at once. */
const oneOrSeveral = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema)])

const Message = z.looseObject({
  jsonrpc: protocol(),
  id: z
    .union([z.string(), z.int()])
    .optional()
    .describe('ID of the message, returned with the response; if absent, no response is sent'),
  method: z
    .string()
    .describe('Method to call: `initialize`, `tools/list`, `tools/call`, or another MCP method'),
  params: z.looseObject({}).optional().describe('Method parameters'),
})
export const McpMessage = oneOrSeveral(Message).meta({
  description: 'An MCP message (JSON-RPC 2.0), or several messages from an older client',
  examples: [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'skills_set_enabled',
        arguments: { role: 'support', skill_name: 'refund-policy', enabled: false },
      },
    },
  ],
})

const Answer = z
  .looseObject({
    jsonrpc: protocol(),
    id: z
      .union([z.string(), z.int(), z.null()])
      .optional()
      .describe('ID of the message; `null` if the ID could not be read'),
    result: z.looseObject({}).optional().describe('Method result'),
    error: z
      .looseObject({
        code: z.int().describe('JSON-RPC error code, such as -32600 for an invalid request'),
        message: z.string().describe('Human-readable explanation'),
      })
      .optional()
      .describe('Error that prevented a result'),
  })
  .meta({ id: 'McpResponse', description: 'An MCP response (JSON-RPC 2.0) to one message' })
export const McpAnswer = oneOrSeveral(Answer).meta({
  id: 'McpAnswer',
  description: 'An MCP response (JSON-RPC 2.0), or several responses to several messages',
  examples: [
    {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: '{"success":true,"layer":"roles/support/"}' }],
        structuredContent: { success: true, layer: 'roles/support/' },
      },
    },
  ],
})
