/** Operator commands: run a server and maintain its data. */

import { Argument, Option } from 'commander'
import { type Add, type Done, json, some, word } from './arguments.ts'
import { TENANT_ACTIONS, type TenantAction } from './tenant-actions.ts'
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
  add('tenants', 'list, create, set, suspend, pause, resume, delete, export, or import tenants')
    .addArgument(new Argument('[action]', 'action').choices(TENANT_ACTIONS).default('list'))
    .argument('[id]', 'tenant')
    .argument('[file]', 'with export, import: file of JSON Lines')
    .addOption(new Option('--name <name>', 'with create, set: display name').argParser(word))
    .addOption(
      new Option(
        '--encryption <kind>',
        'with create: `tenant_key` encrypts rows and files with a key of the tenant',
      ).choices(['none', 'tenant_key']),
    )
    .addOption(
      new Option('--quota <name=value>', 'with create, set: quota; `none` removes it')
        .argParser(some)
        .default([]),
    )
    .option('--cancel', 'with suspend: also cancel active runs')
    .addOption(new Option('--confirm <id>', 'with delete: the ID again').argParser(word))
    .addOption(json())
    .action(async (action: TenantAction, id: string | undefined, file, options) => {
      const { tenants } = await import('./tenants.ts')
      done(await tenants(terminal, { action, id, file, ...options }))
    })
}
