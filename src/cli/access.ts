/** Commands about access: keys, tokens, links, secrets, hooks, tenants; the audit, and usage. */

import { Argument, Option } from 'commander'
import { SECRET_USES } from '../core/secret.ts'
import { type Add, count, type Done, json, some, word } from './arguments.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { HOOK_ACTIONS } from './hook-actions.ts'
import { SECRET_ACTIONS } from './secret-actions.ts'
import { TENANT_ACTIONS } from './tenant-actions.ts'
import type { Terminal } from './terminal.ts'

export function access(add: Add, terminal: Terminal, done: Done): void {
  keys(add, terminal, done)
  token(add, terminal, done)
  link(add, terminal, done)
  secrets(add, terminal, done)
  hooks(add, terminal, done)
  tenants(add, terminal, done)
  audits(add, terminal, done)
  usages(add, terminal, done)
}

function keys(add: Add, terminal: Terminal, done: Done): void {
  add('keys', 'list API keys of the server; or make, replace, revoke one')
    .addOption(new Option('--create', 'print a new one').conflicts(['rotate', 'revoke']))
    .option(
      '--scope <scope>',
      'with --create: what it may do, e.g. runs:* or layers:write:roles/support/; again: more',
      some,
      [],
    )
    .option('--from <address>', 'with --create: it counts from there only; again: more', some, [])
    .addOption(new Option('--name <name>', 'with --create: for people').argParser(word))
    .addOption(new Option('--expires <time>', 'with --create: RFC 3339').argParser(word))
    .addOption(new Option('--rotate <id>', 'print one in its place').conflicts('revoke'))
    .option('--overlap <seconds>', 'with --rotate: the old one goes on for so long', Number)
    .addOption(new Option('--revoke <id>', 'it counts no more').argParser(word))
    .addOption(json())
    .action(async (given) => {
      const { keys: run } = await import('./keys.ts')
      done(await run(terminal, given))
    })
}

function token(add: Add, terminal: Terminal, done: Done): void {
  add('token', 'print a short-lived token for one run, session or approval')
    .argument('<id>', 'a run, a session or an approval')
    .option('--allow <action>', 'read, stream or decide; again: more; default: read', some, [])
    .option('--seconds <seconds>', 'it counts for so long; default: 900', Number)
    .addOption(json())
    .action(async (id: string, given) => {
      const { token: run } = await import('./token.ts')
      done(await run(terminal, id, given))
    })
}

function link(add: Add, terminal: Terminal, done: Done): void {
  add('link', 'print a link that signs one browser in to the console, once, within ten minutes')
    .addOption(
      new Option('--approval <id>', 'in its place: opens this decision, nothing else').argParser(
        word,
      ),
    )
    .option('--seconds <seconds>', 'with --approval: it counts for so long; default: 900', Number)
    .addOption(json())
    .action(async (given) => {
      const { link: run } = await import('./link.ts')
      done(await run(terminal, given))
    })
}

function secrets(add: Add, terminal: Terminal, done: Done): void {
  add('secrets', 'list secrets of the server, set one from the standard input, or delete one')
    .addArgument(new Argument('<action>', 'what to do').choices(SECRET_ACTIONS))
    .argument('[name]', 'with set and delete: the secret, named like a variable')
    .option(
      '--host <host>',
      'with set: where it may be sent, e.g. github.com; again: more',
      some,
      [],
    )
    .option('--any-host', 'with set, in place of --host: it may be sent anywhere')
    .addOption(
      new Option('--use <use...>', 'with set: what it is for; default: server').choices(
        SECRET_USES,
      ),
    )
    .addOption(json())
    .action(async (action, name, given) => {
      const { secrets: run } = await import('./secrets.ts')
      done(await run(terminal, { action, name, ...given }))
    })
}

function hooks(add: Add, terminal: Terminal, done: Done): void {
  add('hooks', 'list inbound hooks of the server, make one, or try one on a payload')
    .addArgument(new Argument('<action>', 'what to do').choices(HOOK_ACTIONS))
    .argument('[id]', 'with try: the hook')
    .option('--payload <file>', 'with try: JSON as the service sends it; - the standard input')
    .option('--header <header>', 'with try: e.g. "X-GitHub-Event: issues"; again: more', some, [])
    .option('--template <file>', 'the template; with try: in place of the one of the hook')
    .option('--event <kind>', 'only these start runs; again: more', some, [])
    .addOption(new Option('--scheme <scheme>', 'with create: standard, github…').argParser(word))
    .addOption(new Option('--agent <agent>', 'with create: who runs it').argParser(word))
    .addOption(json())
    .action(async (action, id, given) => {
      const { hooks: run } = await import('./hooks.ts')
      done(await run(terminal, { action, id, ...given }))
    })
}

function tenants(add: Add, terminal: Terminal, done: Done): void {
  add(
    'tenants',
    'tenants of the server: list, make, suspend, resume, limit, export, delete (its operator)',
  )
    .addArgument(new Argument('<action>', 'what to do').choices(TENANT_ACTIONS))
    .argument('[id]', 'the tenant; create prints its first key')
    .argument('[limits...]', 'with limits: those to set, as live_runs=10, or files=none')
    .addOption(new Option('--name <name>', 'with create: for people').argParser(word))
    .option('--encrypted', 'with create: its rows and objects, under a key of its own')
    .option('--no-encrypted', 'with create: not, though the server does so by default')
    .addOption(json())
    .action(async (action, id, limits, given) => {
      const { tenants: run } = await import('./tenants.ts')
      done(await run(terminal, { action, id, limits, ...given }))
    })
}

function audits(add: Add, terminal: Terminal, done: Done): void {
  add('audit', 'list who changed what; export it with its chain; verify that nothing was altered')
    .addArgument(new Argument('<action>', 'what to do').choices(AUDIT_ACTIONS))
    .addOption(new Option('--kind <kind>', 'list: only this kind of thing').argParser(word))
    .addOption(new Option('--name <name>', 'list: only of this name').argParser(word))
    .addOption(new Option('--of <action>', 'list: only this action, e.g. put').argParser(word))
    .addOption(new Option('--by <key>', 'list: only by this key or run').argParser(word))
    .addOption(new Option('--since <time>', 'list: then or later, RFC 3339').argParser(word))
    .addOption(new Option('--until <time>', 'list: before').argParser(word))
    .option('--limit <n>', 'list: how many, at most 100', count)
    .addOption(new Option('--file <file>', 'verify: an export; else the server').argParser(word))
    .addOption(new Option('--head <hash>', 'verify: noted earlier, to be in it').argParser(word))
    .addOption(json())
    .action(async (action, given) => {
      const { audit } = await import('./audit.ts')
      done(await audit(terminal, { action, ...given }))
    })
}

function usages(add: Add, terminal: Terminal, done: Done): void {
  add('usage', 'tokens and dollars of the tenant, by day, agent or model')
    .addOption(
      new Option('--by <what>', 'what to sum by').choices(['day', 'agent', 'model']).default('day'),
    )
    .addOption(new Option('--from <day>', 'the first day, e.g. 2026-11-23').argParser(word))
    .addOption(new Option('--to <day>', 'the day after the last').argParser(word))
    .addOption(json())
    .action(async (given) => {
      const { usage } = await import('./usage.ts')
      done(await usage(terminal, given))
    })
}
