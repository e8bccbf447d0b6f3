/** The link by which a person authorizes an MCP server; or its authorization is forgotten. */

import { oneLine } from '../lib/visible.ts'
import { askJson, serverOf } from './api.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  readonly layer: string
  readonly forget?: boolean
  readonly json?: boolean
}
interface Link {
  readonly url: string
  readonly expires_at: string
}
interface Forgotten {
  readonly forgotten: boolean
  readonly revoked: boolean
}

export async function authorize(
  terminal: Terminal,
  name: string,
  { layer, forget, json }: Options,
): Promise<number> {
  const query = new URLSearchParams({ layer })
  const path = `/v1/mcp-servers/${encodeURIComponent(name)}/authorization?${query}`
  const server = serverOf(terminal.env)
  if (forget) {
    const gone = await askJson<Forgotten>(server, path, { method: 'DELETE' })
    const there = gone.revoked ? ', and revoked there' : ''
    const said = gone.forgotten ? `forgotten${there}` : 'there was nothing to forget'
    terminal.out(json ? jsonLine(gone) : said)
    return 0
  }
  const link = await askJson<Link>(server, path, { method: 'POST' })
  terminal.out(json ? jsonLine(link) : oneLine(link.url))
  if (!json) terminal.err(oneLine(`Open it until ${link.expires_at}; it counts once.`))
  return 0
}
