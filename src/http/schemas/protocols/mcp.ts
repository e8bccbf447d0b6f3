/** Messages of MCP, as far as the contract describes them: their meaning is MCP's own. */

import * as z from 'zod'

const protocol = () => z.literal('2.0').describe('JSON-RPC version')

/** Older clients send several at once. */
const oneOrSeveral = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema)])

const Message = z.looseObject({
  jsonrpc: protocol(),
  id: z
    .union([z.string(), z.int()])
    .optional()
    .describe('Returned with the response; if absent, no response is sent'),
  method: z.string().describe('`initialize`, `tools/list`, `tools/call`, or another method of MCP'),
  params: z.looseObject({}).optional().describe('Parameters of the method'),
})
export const McpMessage = oneOrSeveral(Message).meta({
  description: 'A message of MCP (JSON-RPC 2.0), or several from an older client',
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
      .describe('ID of the message; null: it could not be read'),
    result: z.looseObject({}).optional().describe('Result of the method'),
    error: z
      .looseObject({
        code: z.int().describe('Error code of JSON-RPC, such as -32600: invalid request'),
        message: z.string().describe('Explanation for people'),
      })
      .optional()
      .describe('Why there is no result'),
  })
  .meta({ id: 'McpResponse', description: 'A response of MCP (JSON-RPC 2.0) to one message' })
export const McpAnswer = oneOrSeveral(Answer).meta({
  id: 'McpAnswer',
  description: 'A response of MCP (JSON-RPC 2.0), or several for several messages',
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
