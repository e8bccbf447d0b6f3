/** Declares the command `strata audit` with its options. */

import { Argument, Option } from 'commander'
import { type Add, type Done, json, word } from './arguments.ts'
import { AUDIT_COMMANDS, type AuditCommand } from './audit-names.ts'
import type { Terminal } from './terminal.ts'

const FILTERS: Readonly<Record<string, string>> = {
  '--kind <list>': 'with list: kinds of resources, separated by commas',
  '--name <name>': 'with list: only this name, ID, or path',
  '--action <list>': 'with list: actions, separated by commas',
  '--by <id>': 'with list: only changes by this key, token, or run, or by system',
  '--from <time>': 'with list: only changes at this time or later (RFC 3339)',
  '--to <time>': 'with list: only changes before this time (RFC 3339)',
}

export function auditCommands(add: Add, terminal: Terminal, done: Done): void {
  const command = add('audit', 'list, export, or verify the audit log of changes')
    .addArgument(new Argument('[command]', 'command').choices(AUDIT_COMMANDS).default('list'))
    .argument('[file]', 'with verify: an exported file; else the log of the server')
    .option('--limit <n>', 'with list: number of entries (default: 20)', Number)
    .addOption(
      new Option('--noted <hash>', 'with verify: earlier hash of the chain').argParser(word),
    )
    .addOption(json())
    .addHelpText('after', '\nverify exits with 0 if the chain is intact, and with 1 otherwise.')
    .action(async (name: AuditCommand, file: string | undefined, options) => {
      const { audit } = await import('./audit.ts')
      done(await audit(terminal, name, { file, ...options }))
    })
  for (const [flags, about] of Object.entries(FILTERS))
    command.addOption(new Option(flags, about).argParser(word))
}
