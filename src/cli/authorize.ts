/** Creates the authorization link of an MCP server, or deletes the server's authorization. */

import { oneLine } from '../lib/invisible-characters.ts'
import { clientOf } from './api.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly layer: string
  readonly forget?: boolean
  /** End user who grants the authorization. */
  readonly subject?: string
  readonly json?: boolean
}

export async function authorize(
  terminal: Terminal,
  name: string,
  { layer, subject, forget, json }: Options,
): Promise<number> {
  const { mcpServers } = clientOf(terminal.env)
  const options = { query: { layer, subject } }
  if (forget) {
    const result = await mcpServers.forgetAuthorization(name, options)
    const suffix = result.revoked ? ', and revoked at the authorization server' : ''
    const message = result.forgotten ? `forgotten${suffix}` : 'no authorization found'
    terminal.out(json ? jsonLine(result) : message)
    return 0
  }
  const link = await mcpServers.authorize(name, options)
  terminal.out(json ? jsonLine(link) : oneLine(link.url))
  if (!json)
    terminal.err(oneLine(`Open the link before ${link.expires_at}; it can be used only once.`))
  return 0
}
