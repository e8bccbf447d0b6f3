/** The commands by which an operator runs a server and keeps its data. */

import type { Add, Done } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export function operation(add: Add, terminal: Terminal, done: Done): void {
  add('serve', 'start the server (settings: environment, see docs/settings.md)')
    .option('--paused', 'show what is there and start nothing, for a copy beside the original')
    .action(async ({ paused }: { paused?: boolean }) => {
      const { runServer } = await import('./serve.ts')
      const env = paused ? { ...terminal.env, STRATA_PAUSED: 'true' } : terminal.env
      done(await runServer({ ...terminal, env }))
    })
}
