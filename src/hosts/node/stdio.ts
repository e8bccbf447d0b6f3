/**
 * Local MCP servers as child processes, where the deployment allows them. A server sees a few
 * harmless variables and those of its entry, never the deployment's; what it prints to stderr is
 * dropped, because it would mix with our own log and may hold secrets.
 */

import type { Transport } from '@modelcontextprotocol/client'
import type { ServerEntry } from '../../core/config/types.ts'
import { Refused } from '../web/fetch.ts'

/** Variables by which a file could make the process run other code than its command names. */
const LOADERS = /^(NODE_OPTIONS|LD_|DYLD_|BASH_ENV$|ENV$|PYTHONSTARTUP$|PERL5OPT$|RUBYOPT$)/

/** A transport that starts its process when the client connects, and ends it on close. */
export async function openStdio(server: ServerEntry): Promise<Transport> {
  const { command, args, cwd } = server
  if (command === null) throw new Refused('the server has no command')
  const { getDefaultEnvironment, StdioClientTransport } = await import(
    '@modelcontextprotocol/client/stdio'
  )
  const given = Object.entries(server.env).filter(([name]) => !LOADERS.test(name))
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...Object.fromEntries(given) },
    stderr: 'ignore',
    ...(cwd === null ? {} : { cwd }),
  })
}
