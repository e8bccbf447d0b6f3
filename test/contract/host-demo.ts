/** The demo's layers and its request, for the tests that run it on a host. */

import { join } from 'node:path'
import { copyPacks } from '../../examples/demo/packs.ts'
import { startNode } from '../../examples/demo/process.ts'
import { type Client, MAIN, type Open, temporaryFolder } from '../support/launch.ts'

const ROOT = join(import.meta.dirname, '../..')

const spawn = (call: { task: string[] } & Readonly<Record<string, unknown>>): string =>
  `@spawn 1 ${JSON.stringify({ ...call, task: call.task.join('\n') })}`

const INPUT = [
  '@call file_read {"path": "README.md"}',
  '@call file_list {"path": "src"}',
  '@call skill {"name": "code-review"}',
  '@then',
  '@call mcp__tickets__echo {"message": "over HTTP"}',
  '@then',
  spawn({
    label: 'prices',
    agent: 'price-auditor',
    repo_dir: 'repos/shop',
    task: ['@call file_read {"path": "src/price.ts"}', '@slow 100', '@say audited'],
  }),
  spawn({
    label: 'review',
    agent: 'reviewer',
    repo_dir: 'repos/shop',
    task: ['@call skill {"name": "code-review"}', '@slow 200', '@say reviewed'],
  }),
  spawn({ label: 'message', agent: 'triage', role: 'support', task: ['@say sorted'] }),
  '@await',
  '@say {results} subagents agree',
].join('\n')

/** Files, a skill, MCP over HTTP, three subagents. */
export const DEMO = { input: INPUT, role: 'support', repo_dir: 'repos/shop' }

/** Sends the example packs to the host; `mcpUrl` is where its MCP server listens. */
export async function pushDemo(client: Client, mcpUrl: string, open: Open): Promise<void> {
  const packs = join(await temporaryFolder(open), 'packs')
  await copyPacks(join(ROOT, 'examples/packs'), packs, mcpUrl)
  const env = {
    STRATA_URL: client.url,
    STRATA_API_KEY: client.key,
    XDG_CACHE_HOME: packs,
    PATH: process.env.PATH ?? '',
  }
  for (const prefix of ['base', 'roles/support', 'repos/shop']) {
    const push = startNode([MAIN, 'push', join(packs, prefix), prefix], { cwd: ROOT, env })
    await push.line(/pushed .*/)
  }
}
