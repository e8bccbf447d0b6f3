/**
 * Declares the commands of `strata` with their arguments and functions. An undeclared option, an
 * extra argument, or a missing value is a usage error. Each command loads its modules only when
 * called.
 */

import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { decisions } from './approval-commands.ts'
import { type Add, type Done, json, runFilters, some, word } from './arguments.ts'
import { auditCommands } from './audit-commands.ts'
import { beginnings } from './author-commands.ts'
import { SHELLS } from './completion.ts'
import { credentials } from './credentials.ts'
import { deployment } from './deploy.ts'
import { MEMORY_ACTIONS } from './memory-actions.ts'
import { operation } from './operation.ts'
import type { Terminal } from './terminal.ts'

type CheckFlags = Readonly<Record<'json' | 'loose' | 'verbose', boolean>>

const USAGE_EXAMPLES = `
Commands that call a server use STRATA_URL (default http://127.0.0.1:8787) and STRATA_API_KEY.
Exit codes: 0 success, 1 failure, 2 usage error. strata run exits with 3 if the run waits for a
person and no terminal is attached.`

export function createProgram(terminal: Terminal, version: string, done: Done): Command {
  const program = new Command('strata')
    .description('Runs agents from files in object storage.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', USAGE_EXAMPLES)
  const add = (name: string, about: string): Command =>
    program.command(name).description(about).helpOption('-h, --help', 'show help')
  operation(add, terminal, done)
  beginnings(add, terminal, done)
  credentials(add, terminal, done)
  auditCommands(add, terminal, done)
  deployment(add, terminal, done)
  files(add, terminal, done)
  runs(add, terminal, done)
  decisions(add, terminal, done)
  messages(add, terminal, done)
  clocks(add, terminal, done)
  layers(add, terminal, done)
  add('completion', 'print the completion script for a shell')
    .addArgument(new Argument('<shell>', 'which').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completion } = await import('./completion.ts')
      terminal.out(completion(program, shell))
      done(0)
    })
  return program
}

const role = (): Option => new Option('--role <role>', 'role layer').argParser(word)
const repo = (): Option => new Option('--repo-dir <prefix>', 'repository layer').argParser(word)

function files(add: Add, terminal: Terminal, done: Done): void {
  add('check', 'report whether each file would load, and if not, why')
    .argument('<dir>', 'a folder')
    .addOption(json())
    .option('--loose', 'classify files outside layers by their content')
    .option('--verbose', 'also list ignored files, with reasons')
    .action(async (dir: string, flags: Partial<CheckFlags>) => {
      const { check } = await import('./check.ts')
      const { json: isJson = false, loose = false, verbose = false } = flags
      const options = { json: isJson, loose, verbose, env: terminal.env }
      done(await check(dir, options, terminal.out, terminal.err))
    })
  add('push', 'make the files under a prefix match a folder; sends only differences')
    .argument('<dir>', 'folder; .gitignore and .strataignore apply; .env* and keys are not sent')
    .argument('<prefix>', 'layer: base, roles/<role>, or repos/<name>')
    .option('--include <pattern>', 'also send matching files that are ignored or secret', some, [])
    .option('--delete', 'delete remote files that are not in the folder')
    .option('--dry-run', 'show planned changes without making them')
    .option(
      '--force',
      'allow files that do not load, a prefix that is not a layer, and an empty folder',
    )
    .addOption(json())
    .action(async (dir: string, prefix: string, options) => {
      const { push } = await import('./push.ts')
      done(await push(terminal, { dir, prefix, ...options }))
    })
}

const verbose = (): Option =>
  new Option('-v, --verbose', 'show arguments and results of tool calls')

function runs(add: Add, terminal: Terminal, done: Done): void {
  add('run', 'start a run, print its ID, and follow it until it ends')
    .argument('<input>', 'text in quotes; - reads standard input')
    .addOption(new Option('--agent <agent>', 'agent').argParser(word))
    .addOption(role())
    .addOption(repo())
    .addOption(new Option('--session <id>', 'session to continue').argParser(word))
    .addOption(
      new Option('--model <name>', "model or alias; overrides the agent's").argParser(word),
    )
    .addOption(new Option('--subject <id>', 'end user whose secrets the run uses').argParser(word))
    .option('--attach <file>', 'image or file to attach; repeatable', some, [])
    .option('--timeout <seconds>', 'time limit of the run in seconds', count)
    .addOption(new Option('--schema <file>', 'JSON Schema of the response').argParser(word))
    .addOption(new Option('--metadata <pair>', 'key=value metadata; repeatable').argParser(pairs))
    .addOption(new Option('--label <label>', 'label of the run').argParser(word))
    .option('--detach', 'print the ID without following the run')
    .addOption(verbose())
    .addOption(json())
    .action(async (input: string, options) => {
      const { run } = await import('./run.ts')
      done(await run(terminal, { input, ...options }))
    })
  add('tail', 'follow the events of a run or fan-out from the beginning')
    .argument('<id>', 'run or fan-out')
    .addOption(verbose())
    .addOption(json())
    .action(async (id: string, options) => {
      const { tail } = await import('./run.ts')
      done(await tail(terminal, id, options))
    })
  const list = add('runs', 'list runs, newest first')
    .option('--limit <n>', 'number of entries, at most 100', count, 20)
    .addOption(role())
    .addOption(
      new Option('--metadata <pair>', 'only runs with this key=value; repeatable').argParser(pairs),
    )
    .option('--oldest', 'oldest first')
    .addOption(json())
    .action(async (options) => {
      const { runs: listRuns } = await import('./manage.ts')
      done(await listRuns(terminal, options))
    })
  for (const filter of runFilters()) list.addOption(filter)
  add('retry', 'retry the model call of a run that waits for its model')
    .argument('<run>', 'run that waits for its model, or whose subagents wait for theirs')
    .addOption(json())
    .action(async (id: string, options) => {
      const { retry } = await import('./manage.ts')
      done(await retry(terminal, id, options))
    })
  const cancelling = add('cancel', 'cancel a run or a fan-out, or all active runs that match')
    .argument('[id]', 'run or fan-out')
    .option('--all', 'cancel all active runs, or those that match the filters')
    .addOption(new Option('--reason <text>', 'why').argParser(word))
    .addOption(role())
    .addOption(
      new Option('--metadata <pair>', 'only runs with this key=value; repeatable').argParser(pairs),
    )
    .addOption(json())
    .action(async (id: string | undefined, options) => {
      const { cancelAll } = await import('./cancel-all.ts')
      const { cancel } = await import('./manage.ts')
      const isOne = id !== undefined && !options.all
      done(await (isOne ? cancel(terminal, id, options) : cancelAll(terminal, options, id)))
    })
  for (const filter of runFilters()) if (filter.long !== '--search') cancelling.addOption(filter)
}

/** Adds a repeatable `key=value` option to the previous pairs. */
function pairs(text: string, previous: readonly string[] = []): readonly string[] {
  if (/^[^=]+=/.test(text)) return [...previous, text]
  throw new InvalidArgumentError('The value must have the form key=value.')
}

function count(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 100) return value
  throw new InvalidArgumentError('The value must be an integer from 1 to 100.')
}

function messages(add: Add, terminal: Terminal, done: Done): void {
  add('send', 'send a message to an active run, or answer its open question')
    .argument('<run>', 'a run')
    .argument('<text>', 'message')
    .option('--attach <file>', 'image or file to attach; repeatable', some, [])
    .addOption(json())
    .action(async (run: string, text: string, options) => {
      const { send } = await import('./send.ts')
      done(await send(terminal, run, text, options))
    })
}

const ACTIONS = ['show', 'put', 'delete', 'pause', 'resume', 'run', 'on']
/** Creates an option that conflicts with all other action options. */
const action = (flags: string, about: string): Option => {
  const option = new Option(flags, about)
  return option.conflicts(ACTIONS.filter((name) => name !== option.attributeName()))
}

function clocks(add: Add, terminal: Terminal, done: Done): void {
  add('schedules', 'list schedules with their next slot and last run, and disabled schedule files')
    .option('--wakeups', 'list schedules that models created for their sessions')
    .addOption(role())
    .addOption(repo())
    .addOption(json())
    .action(async (options) => {
      const { schedules } = await import('./schedules.ts')
      done(await schedules(terminal, options))
    })
  add(
    'schedule',
    'list the slots of a schedule, or show, write, enable, delete, pause, resume, or run it',
  )
    .argument('<name>', 'name of the schedule')
    .addOption(action('--show', 'show when it is due and which run it starts'))
    .addOption(
      action(
        '--put <json>',
        'write it with a body for PUT /v1/schedules/{name}; - reads standard input',
      ),
    )
    .addOption(action('--delete', 'delete it'))
    .addOption(action('--pause <why>', 'pause it').argParser(word))
    .addOption(action('--resume', 'resume it'))
    .addOption(action('--run', 'start its run now'))
    .addOption(action('--on', 'enable .agents/schedules/<name>.md in these layers'))
    .option('--role <role>', 'with --on: role layer of the schedule and its runs')
    .option('--repo-dir <prefix>', 'with --on: repository layer of the schedule and its runs')
    .addOption(json())
    .action(async (name: string, options) => {
      const { schedule } = await import('./schedules.ts')
      done(await schedule(terminal, name, options))
    })
}

function layers(add: Add, terminal: Terminal, done: Done): void {
  add('authorize', 'print a link that lets a person authorize an MCP server (OAuth)')
    .argument('<server>', 'name of the MCP server')
    .option('--layer <prefix>', 'layer that defines the server', 'base/')
    .option('--forget', "delete the server's tokens instead")
    .addOption(new Option('--subject <id>', 'end user who authorizes it').argParser(word))
    .addOption(json())
    .action(async (name: string, options) => {
      const { authorize } = await import('./authorize.ts')
      done(await authorize(terminal, name, options))
    })
  add('models', 'list models and aliases')
    .addOption(json())
    .action(async (options) => {
      const { models } = await import('./models.ts')
      done(await models(terminal, options))
    })
  add('tools', 'list built-in tools, or show one by name or by its name in another product')
    .argument('[name]', 'a tool')
    .addOption(json())
    .action(async (name: string | undefined, options) => {
      const { tools } = await import('./tools.ts')
      done(await tools(terminal, { name, ...options }))
    })
  add('memory', 'search, read, write, or list memory')
    .addArgument(new Argument('<action>', 'action').choices(MEMORY_ACTIONS))
    .argument('[what]', 'query (search), path (get, write), or prefix (list)')
    .argument('[text]', 'with write: entries to append; existing ones are skipped')
    .addOption(new Option('--heading <heading>', 'with write: heading of the entries'))
    .option('--limit <n>', 'with list: number of entries, at most 100', count, 20)
    .option('--cursor <cursor>', 'with list: cursor from the previous page')
    .addOption(json())
    .action(async (action, target, text, options) => {
      const { memory } = await import('./memory.ts')
      done(await memory(terminal, { action, what: target, text, ...options }))
    })
  add('resolve', 'show the configuration of a run with these layers')
    .addOption(role())
    .addOption(repo())
    .addOption(json())
    .action(async (options) => {
      const { resolve } = await import('./manage.ts')
      done(await resolve(terminal, options))
    })
  add('diff', 'compare two configurations; exits with 0 if they are equal, 1 if they differ')
    .argument('<left>', 'run ID, digest, base, or role=R,repo=P')
    .argument('<right>', 'the same')
    .addOption(json())
    .action(async (left: string, right: string, options) => {
      const { diff } = await import('./manage.ts')
      done(await diff(terminal, left, right, options))
    })
}
