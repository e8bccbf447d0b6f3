/**
 * The commands of `strata`, their arguments and their functions. Anything not declared here is
 * wrong use: an unknown option, an extra argument, a missing value. Each command loads its own part
 * of the program when it is called.
 */

import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { type Add, type Done, json, some, word } from './arguments.ts'
import { beginnings } from './beginnings.ts'
import { SHELLS } from './completion.ts'
import { credentials } from './credentials.ts'
import { deployment } from './deploy.ts'
import { MEMORY_ACTIONS } from './memory-actions.ts'
import type { Terminal } from './terminal.ts'

const USAGE_EXAMPLES = `
push, run and all that ask a server use STRATA_URL (http://127.0.0.1:8787) and STRATA_API_KEY.
Exit codes: 0 done, 1 failed, 2 wrong use; of run 3: it waits for a person, and no terminal is there.`

export function createProgram(terminal: Terminal, version: string, done: Done): Command {
  const program = new Command('strata')
    .description('Runs agents from files in object storage.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show how it is used')
    .helpCommand(false)
    .addHelpText('after', USAGE_EXAMPLES)
  const add = (name: string, about: string): Command =>
    program.command(name).description(about).helpOption('-h, --help', 'show how it is used')
  add('serve', 'start the server (settings: environment, see README)').action(async () => {
    const { runServer } = await import('./serve.ts')
    done(await runServer(terminal))
  })
  beginnings(add, terminal, done)
  credentials(add, terminal, done)
  deployment(add, terminal, done)
  files(add, terminal, done)
  runs(add, terminal, done)
  decisions(add, terminal, done)
  messages(add, terminal, done)
  clocks(add, terminal, done)
  layers(add, terminal, done)
  add('completion', 'print completions for a shell')
    .addArgument(new Argument('<shell>', 'which').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completion } = await import('./completion.ts')
      terminal.out(completion(program, shell))
      done(0)
    })
  return program
}

const role = (): Option => new Option('--role <role>', 'the role layer').argParser(word)
const repo = (): Option => new Option('--repo-dir <prefix>', 'the repository layer').argParser(word)

function files(add: Add, terminal: Terminal, done: Done): void {
  add('check', 'one record per file: what would load, and why not')
    .argument('<dir>', 'a folder')
    .addOption(json())
    .option('--loose', 'classify files by content, wherever they lie')
    .action(async (dir: string, given: { json?: boolean; loose?: boolean }) => {
      const { check } = await import('./check.ts')
      const options = { json: given.json === true, loose: given.loose === true }
      done(await check(dir, options, terminal.out, terminal.err))
    })
  add('push', 'make the files below a prefix those of a folder; only what differs is sent')
    .argument('<dir>', 'a folder; .gitignore and .strataignore hold, .env* and keys stay')
    .argument('<prefix>', 'a layer: base, roles/<role> or repos/<name>')
    .option('--include <pattern>', 'send these although they are ignored or secret', some, [])
    .option('--delete', 'delete what the folder has not')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--force', 'files that do not load; to a prefix that is no layer; from an empty folder')
    .addOption(json())
    .action(async (dir: string, prefix: string, given) => {
      const { push } = await import('./push.ts')
      done(await push(terminal, { dir, prefix, ...given }))
    })
}

const verbose = (): Option =>
  new Option('-v, --verbose', 'show arguments and results of tool calls')

function runs(add: Add, terminal: Terminal, done: Done): void {
  add('run', 'start a run, print its id, and follow it to its answer')
    .argument('<input>', 'one text, in quotes; - reads the standard input')
    .addOption(new Option('--agent <agent>', 'who runs it').argParser(word))
    .addOption(role())
    .addOption(repo())
    .addOption(new Option('--session <id>', 'go on in this session').argParser(word))
    .addOption(
      new Option('--model <name>', 'a model or an alias instead of its own').argParser(word),
    )
    .option('--attach <file>', 'send a picture or a file with it; may come again', some, [])
    .option('--timeout <seconds>', 'the run times out after so many seconds', count)
    .addOption(new Option('--schema <file>', 'JSON Schema of the answer').argParser(word))
    .addOption(
      new Option('--metadata <pair>', 'key=value of the run; again: more').argParser(pairs),
    )
    .addOption(new Option('--label <label>', 'label of the run').argParser(word))
    .option('--detach', 'print the id, and do not follow the run')
    .addOption(verbose())
    .addOption(json())
    .action(async (input: string, given) => {
      const { run } = await import('./run.ts')
      done(await run(terminal, { input, ...given }))
    })
  add('tail', 'follow the events of a run or a fan-out, from the first')
    .argument('<id>', 'a run or a fan-out')
    .addOption(verbose())
    .addOption(json())
    .action(async (id: string, given) => {
      const { tail } = await import('./run.ts')
      done(await tail(terminal, id, given))
    })
  add('runs', 'list runs, newest first')
    .option('--limit <n>', 'how many, at most 100', count, 20)
    .addOption(new Option('--status <list>', 'one, or several with commas between').argParser(word))
    .addOption(new Option('--agent <agent>', 'only those of this agent').argParser(word))
    .addOption(new Option('--session <id>', 'only those in this session').argParser(word))
    .addOption(role())
    .addOption(new Option('--label <label>', 'only those of this label').argParser(word))
    .addOption(
      new Option('--metadata <pair>', 'only those with key=value; again: all').argParser(pairs),
    )
    .addOption(new Option('--from <time>', 'only those created then or later').argParser(word))
    .addOption(new Option('--to <time>', 'only those created before').argParser(word))
    .option('--oldest', 'oldest first')
    .addOption(json())
    .action(async (given) => {
      const { runs: list } = await import('./manage.ts')
      done(await list(terminal, given))
    })
  add('retry', 'retry the model call of a run that waits for its model')
    .argument('<run>', 'a run that waits for its model, or whose subagents wait for theirs')
    .addOption(json())
    .action(async (id: string, given) => {
      const { retry } = await import('./manage.ts')
      done(await retry(terminal, id, given))
    })
  add('cancel', 'cancel a run or a fan-out')
    .argument('<id>', 'a run or a fan-out')
    .addOption(new Option('--reason <text>', 'why').argParser(word))
    .addOption(json())
    .action(async (id: string, given) => {
      const { cancel } = await import('./manage.ts')
      done(await cancel(terminal, id, given))
    })
}

/** `key=value`, as often as it is given. */
function pairs(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[^=]+=/.test(text)) return [...before, text]
  throw new InvalidArgumentError('A pair is key=value.')
}

function count(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 100) return value
  throw new InvalidArgumentError('It must be a whole number from 1 to 100.')
}

function decisions(add: Add, terminal: Terminal, done: Done): void {
  add('approvals', 'list the calls that wait for a person')
    .addOption(json())
    .action(async (given) => {
      const { approvals } = await import('./manage.ts')
      done(await approvals(terminal, given))
    })
  add('approve', 'let a call that waits go ahead')
    .argument('<id>', 'an approval')
    .addOption(new Option('--arguments <json>', 'with these instead').argParser(word))
    .addOption(json())
    .action(async (id: string, given) => {
      const { decide } = await import('./manage.ts')
      done(await decide(terminal, 'approve', id, given))
    })
  add('deny', 'refuse a call that waits')
    .argument('<id>', 'an approval')
    .addOption(new Option('--reason <text>', 'shown to the model').argParser(word))
    .addOption(json())
    .action(async (id: string, given) => {
      const { decide } = await import('./manage.ts')
      done(await decide(terminal, 'deny', id, given))
    })
}

function messages(add: Add, terminal: Terminal, done: Done): void {
  add('send', 'tell a live run something; when it asks, this is the answer')
    .argument('<run>', 'a run')
    .argument('<text>', 'the message')
    .option('--attach <file>', 'send a picture or a file with it; may come again', some, [])
    .addOption(json())
    .action(async (run: string, text: string, given) => {
      const { send } = await import('./send.ts')
      done(await send(terminal, run, text, given))
    })
}

const ACTIONS = ['show', 'put', 'delete', 'pause', 'resume', 'run', 'on']
/** One of those that exclude one another. */
const action = (flags: string, about: string): Option => {
  const option = new Option(flags, about)
  return option.conflicts(ACTIONS.filter((name) => name !== option.attributeName()))
}

function clocks(add: Add, terminal: Terminal, done: Done): void {
  add('schedules', 'list schedules: when each is due, and how the last run went')
    .option('--wakeups', 'those that models have made for their sessions')
    .addOption(json())
    .action(async (given) => {
      const { schedules } = await import('./schedules.ts')
      done(await schedules(terminal, given))
    })
  add(
    'schedule',
    'what became of the slots of one; or show, write, switch on, delete, pause, resume, run it',
  )
    .argument('<name>', 'its name')
    .addOption(action('--show', 'when it is due, and the run that it starts'))
    .addOption(action('--put <json>', 'write it, as PUT /v1/schedules/{name} takes it; - reads it'))
    .addOption(action('--delete', 'it starts nothing any more'))
    .addOption(action('--pause <why>', 'it starts nothing until it is resumed').argParser(word))
    .addOption(action('--resume', 'from now on'))
    .addOption(action('--run', 'start its run now'))
    .addOption(action('--on', 'switch on .agents/schedules/<name>.md of these layers'))
    .option('--role <role>', 'with --on: the role layer, also of its runs')
    .option('--repo-dir <prefix>', 'with --on: the repository layer, also of its runs')
    .addOption(json())
    .action(async (name: string, given) => {
      const { schedule } = await import('./schedules.ts')
      done(await schedule(terminal, name, given))
    })
}

function layers(add: Add, terminal: Terminal, done: Done): void {
  add('authorize', 'a link by which a person authorizes an MCP server (OAuth)')
    .argument('<server>', 'its name')
    .option('--layer <prefix>', 'where it is defined', 'base/')
    .option('--forget', 'drop its tokens instead')
    .addOption(json())
    .action(async (name: string, given) => {
      const { authorize } = await import('./authorize.ts')
      done(await authorize(terminal, name, given))
    })
  add('models', 'models and aliases that runs may name')
    .addOption(json())
    .action(async (given) => {
      const { models } = await import('./models.ts')
      done(await models(terminal, given))
    })
  add('tools', 'built-in tools, or one by its name here or in another product')
    .argument('[name]', 'a tool')
    .addOption(json())
    .action(async (name: string | undefined, given) => {
      const { tools } = await import('./tools.ts')
      done(await tools(terminal, { name, ...given }))
    })
  add('memory', 'search, read, write or list what agents remember')
    .addArgument(new Argument('<action>', 'what to do').choices(MEMORY_ACTIONS))
    .argument('[what]', 'a query (search), a path (get, write), or a prefix')
    .argument('[text]', 'with write: entries to add, those that are there are left')
    .addOption(new Option('--heading <heading>', 'with write: the heading for them'))
    .option('--limit <n>', 'with list: how many, at most 100', count, 20)
    .option('--cursor <cursor>', 'with list: where the page before ended')
    .addOption(json())
    .action(async (action, what, text, given) => {
      const { memory } = await import('./memory.ts')
      done(await memory(terminal, { action, what, text, ...given }))
    })
  add('resolve', 'what a run with these layers would work with')
    .addOption(role())
    .addOption(repo())
    .addOption(json())
    .action(async (given) => {
      const { resolve } = await import('./manage.ts')
      done(await resolve(terminal, given))
    })
  add('diff', 'compare two configs: 0 when they are the same, 1 when they differ')
    .argument('<left>', 'a run id, a digest, base, or role=R,repo=P')
    .argument('<right>', 'the same')
    .addOption(json())
    .action(async (left: string, right: string, given) => {
      const { diff } = await import('./manage.ts')
      done(await diff(terminal, left, right, given))
    })
}
