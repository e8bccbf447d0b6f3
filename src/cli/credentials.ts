/** Commands that create and manage credentials: keys, secrets, tokens, and links. */

import { Argument, Option } from 'commander'
import { type Add, type Done, json, some, word } from './arguments.ts'
import { SECRET_ACTIONS, type SecretAction } from './secret-actions.ts'
import type { Terminal } from './terminal.ts'

export function credentials(add: Add, terminal: Terminal, done: Done): void {
  add('key', 'generate an admin key for STRATA_ADMIN_KEY').action(async () => {
    const { newKey } = await import('../engine/tenant/api-keys.ts')
    const { systemClock } = await import('../hosts/shared/clock.ts')
    terminal.out(newKey(systemClock.random).key)
    done(0)
  })
  keys(add, terminal, done)
  secrets(add, terminal, done)
  tokens(add, terminal, done)
}

function keys(add: Add, terminal: Terminal, done: Done): void {
  add('keys', "list the server's API keys; or create, update, rotate, or revoke a key")
    .addArgument(
      new Argument(
        '[action]',
        'reseal: encrypt all sealed data under the current master key',
      ).choices(['reseal']),
    )
    .addOption(new Option('--create', 'create a key').conflicts(['update', 'rotate', 'revoke']))
    .addOption(new Option('--update <id>', 'update the key').conflicts(['rotate', 'revoke']))
    .option(
      '--scope <scope>',
      'with --create, --update: a scope, e.g. runs:*; repeatable',
      some,
      [],
    )
    .addOption(new Option('--name <name>', 'with --create, --update: display name').argParser(word))
    .addOption(new Option('--expires <time>', 'with --create, --update: RFC 3339').argParser(word))
    .option('--address <range>', 'with --create, --update: allowed address or range', some, [])
    .option('--rate <requests>', 'with --create, --update: requests per second', Number)
    .option(
      '--quota <name=value>',
      'with --create, --update: quota of its runs; `none` removes it; repeatable',
      some,
      [],
    )
    .addOption(new Option('--rotate <id>', 'replace the key with a new one').conflicts('revoke'))
    .option('--overlap <seconds>', 'with --rotate: seconds that the old key remains valid', Number)
    .addOption(new Option('--revoke <id>', 'revoke the key').argParser(word))
    .addOption(json())
    .action(async (action: 'reseal' | undefined, options) => {
      if (action === 'reseal') {
        const { reseal } = await import('./secrets.ts')
        done(await reseal(terminal, options))
        return
      }
      const { keys: run } = await import('./keys.ts')
      done(await run(terminal, options))
    })
}

function secrets(add: Add, terminal: Terminal, done: Done): void {
  add('secrets', 'list secrets without their values; or write or delete a secret')
    .addArgument(new Argument('<action>', 'action').choices(SECRET_ACTIONS))
    .argument('[name]', 'with set, delete: name of the secret')
    .option('--host <host>', 'with set: host that may receive it; repeatable', some, [])
    .option('--any-host', 'with set: every host may receive it')
    .addOption(new Option('--subject <id>', 'end user who owns the secret').argParser(word))
    .option('--use <use>', 'with set: mcp (default), model, or search; repeatable', some, [])
    .addOption(
      new Option(
        '--from-file <file>',
        'with set: file with the value; or standard input',
      ).argParser(word),
    )
    .addOption(json())
    .action(async (action: SecretAction, name: string | undefined, options) => {
      const { secrets: run } = await import('./secrets.ts')
      done(await run(terminal, { action, name, ...options }))
    })
}

function tokens(add: Add, terminal: Terminal, done: Done): void {
  const scope = (words: string): Option =>
    new Option('--scope <scope>', words).argParser(some).default([])
  const expires = () => new Option('--expires <seconds>', 'expiry').argParser(Number)
  add('token', 'print a short-lived token with no more permissions than your key')
    .addArgument(new Argument('[id]', 'subject: a run, session, fan-out, or approval'))
    .option('--tenant', 'create a token that can read the whole tenant')
    .addOption(scope('scope, e.g. runs:read; repeatable'))
    .addOption(expires())
    .addOption(json())
    .action(async (id: string | undefined, options) => {
      const { token } = await import('./tokens.ts')
      done(await token(terminal, id, options))
    })
  add('link', 'print a link that lets a person decide an approval or view a run')
    .addArgument(new Argument('<id>', 'approval or run'))
    .option('--read', 'let the person view the approval but not decide it')
    .addOption(expires())
    .addOption(json())
    .action(async (id: string, options) => {
      const { link } = await import('./tokens.ts')
      done(await link(terminal, id, options))
    })
  add('console', 'print a single-use link that signs a browser in to the console')
    .addOption(scope('scope, limited to the scopes of your key; repeatable'))
    .addOption(json())
    .action(async (options) => {
      const { signInLink } = await import('./tokens.ts')
      done(await signInLink(terminal, options))
    })
}
