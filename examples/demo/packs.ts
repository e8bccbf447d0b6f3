/** The example packs as this demo pushes them: with the port that its own MCP server has got. */

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const WRITTEN = 'http://127.0.0.1:39101/mcp'
const CONFIGS = ['base', 'roles/support', 'repos/shop']

/** Copies the packs to `to` and names the server's real address in their configuration. */
export async function copyPacks(from: string, to: string, mcpUrl: string): Promise<void> {
  await cp(from, to, { recursive: true })
  for (const layer of CONFIGS) {
    const path = join(to, layer, '.agents/config.toml')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(WRITTEN, mcpUrl))
  }
}
