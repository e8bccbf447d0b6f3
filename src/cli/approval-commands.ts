/** Declares the commands that list and decide approvals. */

import { Option } from 'commander'
import { type Add, type Done, json, word } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export function decisions(add: Add, terminal: Terminal, done: Done): void {
  add('approvals', 'list calls that wait for approval')
    .addOption(new Option('--run <id>', 'only this run and its subagents').argParser(word))
    .addOption(new Option('--tool <name>', 'only this tool, by its exact name').argParser(word))
    .addOption(json())
    .action(async (options) => {
      const { approvals } = await import('./approvals.ts')
      done(await approvals(terminal, options))
    })
  add('approve', 'approve one or more calls')
    .argument('<id...>', 'one or more approvals')
    .addOption(
      new Option('--arguments <json>', 'arguments to use instead, for one call').argParser(word),
    )
    .addOption(json())
    .action(async (ids: string[], options) => {
      const { decide } = await import('./approvals.ts')
      done(await decide(terminal, 'approve', ids, options))
    })
  add('deny', 'deny one or more calls')
    .argument('<id...>', 'one or more approvals')
    .addOption(new Option('--reason <text>', 'reason, shown to the model').argParser(word))
    .addOption(json())
    .action(async (ids: string[], options) => {
      const { decide } = await import('./approvals.ts')
      done(await decide(terminal, 'deny', ids, options))
    })
}
