/** The commands that make and manage what grants access: keys, tokens, links. */

import { Argument, Option } from 'commander'
import { type Add, type Done, json, some, word } from './arguments.ts'
import type { Terminal } from './terminal.ts'

export function credentials(add: Add, terminal: Terminal, done: Done): void {
  add('key', 'print a new admin key, for STRATA_ADMIN_KEY').action(async () => {
    const { newKey } = await import('../engine/tenant/api-keys.ts')
    const { systemClock } = await import('../hosts/shared/clock.ts')
    terminal.out(newKey(systemClock.random).key)
    done(0)
  })
  keys(add, terminal, done)
  tokens(add, terminal, done)
}

function keys(add: Add, terminal: Terminal, done: Done): void {
  add('keys', 'list API keys of the server; or make, change, replace, revoke one')
    .addOption(new Option('--create', 'print a new one').conflicts(['update', 'rotate', 'revoke']))
    .addOption(new Option('--update <id>', 'change it').conflicts(['rotate', 'revoke']))
    .option(
      '--scope <scope>',
      'with --create, --update: what it may do, e.g. runs:*; again: more',
      some,
      [],
    )
    .addOption(new Option('--name <name>', 'with --create, --update: for people').argParser(word))
    .addOption(new Option('--expires <time>', 'with --create, --update: RFC 3339').argParser(word))
    .option('--address <range>', 'with --create, --update: accepted from there only', some, [])
    .option('--rate <requests>', 'with --create, --update: requests in a second', Number)
    .addOption(new Option('--rotate <id>', 'print one in its place').conflicts('revoke'))
    .option('--overlap <seconds>', 'with --rotate: the old one goes on for so long', Number)
    .addOption(new Option('--revoke <id>', 'it counts no more').argParser(word))
    .addOption(json())
    .action(async (given) => {
      const { keys: run } = await import('./keys.ts')
      done(await run(terminal, given))
    })
}

function tokens(add: Add, terminal: Terminal, done: Done): void {
  const scope = (words: string): Option =>
    new Option('--scope <scope>', words).argParser(some).default([])
  const expires = () => new Option('--expires <seconds>', 'when it ends').argParser(Number)
  add('token', 'print a short-lived token, never wider than your key')
    .addArgument(new Argument('[id]', 'what it is for: a run, session, fan-out or approval'))
    .option('--tenant', 'it reads the whole tenant')
    .addOption(scope('what it may do, e.g. runs:read; again: more'))
    .addOption(expires())
    .addOption(json())
    .action(async (id: string | undefined, given) => {
      const { token } = await import('./tokens.ts')
      done(await token(terminal, id, given))
    })
  add('link', 'print a link by which a person decides an approval, or sees a run')
    .addArgument(new Argument('<id>', 'an approval or a run'))
    .option('--read', 'an approval is only shown')
    .addOption(expires())
    .addOption(json())
    .action(async (id: string, given) => {
      const { link } = await import('./tokens.ts')
      done(await link(terminal, id, given))
    })
  add('console', 'print a link that signs one browser in to the console, once')
    .addOption(scope('what it may do, at most what your key may; again: more'))
    .addOption(json())
    .action(async (given) => {
      const { signInLink } = await import('./tokens.ts')
      done(await signInLink(terminal, given))
    })
}
