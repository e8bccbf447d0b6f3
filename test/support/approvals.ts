/** Servers, policies and inboxes for tests of approvals. */

import type { Policy } from '../../src/core/policy.ts'
import { DEFAULT_POLICY } from '../../src/core/policy.ts'
import { readPolicy, writePolicy } from '../../src/engine/tenant/policy.ts'
import { fail, ok } from '../../src/lib/outcome.ts'
import type { ToolCall, Tools, Web, World } from '../../src/ports/world.ts'
import { TENANT } from './drive.ts'

/** Every URL is allowed; nothing is sent. */
export const OPEN: Web = { check: () => undefined, send: async () => fail('closed') }

export const BANK = '[mcp_servers.bank]\nurl = "https://bank.example/mcp"\n'

const SCHEMA = {
  type: 'object',
  properties: { amount: { type: 'integer' } },
  required: ['amount'],
  additionalProperties: false,
}

/** What its `vault` asks the user before it opens. */
const VAULT_ASKS = [
  {
    key: 'pin',
    message: 'Which PIN?',
    form: { type: 'object', properties: { pin: { type: 'string' } }, required: ['pin'] },
  },
]

/** A server with `pay` (once), `look` (repeatable) and `vault` (asks); its calls are kept. */
export function bank() {
  const calls: { tool: string; arguments: unknown; answers?: ToolCall['answers'] }[] = []
  const tools: Tools = {
    probe: async () => fail('not in this world'),
    list: async () =>
      ok([
        { name: 'pay', description: 'Pays.', input_schema: SCHEMA, repeatable: false },
        { name: 'look', description: 'Looks.', input_schema: SCHEMA, repeatable: true },
        { name: 'vault', description: 'Opens.', input_schema: SCHEMA, repeatable: false },
      ]),
    forget: () => undefined,
    call: async (_, __, { tool, arguments: given, answers, mayAsk }) => {
      calls.push({ tool, arguments: given, ...(answers ? { answers } : {}) })
      if (tool === 'vault' && !answers && mayAsk?.(VAULT_ASKS, 'opaque')) {
        const asks = { requests: VAULT_ASKS, state: 'opaque' }
        return ok({ text: '', is_error: false, asks })
      }
      return ok({ text: `${tool} done`, is_error: false })
    },
  }
  return { tools, calls }
}

export async function setPolicy(world: World, change: Partial<Policy>): Promise<void> {
  const { version } = await readPolicy(world, TENANT)
  await writePolicy(world, TENANT, { ...DEFAULT_POLICY, ...change }, version)
}
