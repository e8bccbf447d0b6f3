/** Operator commands: run a server and maintain its data. */

import { Option } from 'commander'
import { type Add, type Done, word } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export function operation(add: Add, terminal: Terminal, done: Done): void {
  add('serve', 'start the server (configured by environment variables; see docs/settings.md)')
    .option('--paused', 'show data without starting any work, for a copy next to the original')
    .action(async ({ paused }: { paused?: boolean }) => {
      const { runServer } = await import('./serve.ts')
      const env = paused ? { ...terminal.env, STRATA_PAUSED: 'true' } : terminal.env
      done(await runServer({ ...terminal, env }))
    })
  add('backup', 'copy the data folder of a running or stopped server')
    .argument('<destination>', 'new or empty folder')
    .addOption(new Option('--data <dir>', 'data folder (default DATA_DIR)').argParser(word))
    .action(async (destination: string, options: { data?: string }) => {
      const { backup } = await import('./backup.ts')
      done(await backup(terminal, { destination, ...options }))
    })
}
