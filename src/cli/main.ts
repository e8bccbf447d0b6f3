/**
 * `strata`: parses the arguments, runs one command, and converts the command's result to an exit
 * code.
 */

import { readFileSync } from 'node:fs'
import { visible } from '../lib/invisible-characters.ts'
import { processTerminal } from './terminal.ts'
import { WrongUse } from './usage-error.ts'

const DONE = 0
const FAILED = 1
const WRONG_USE = 2

/** Names of commands that serve until stopped. */
const SERVERS: ReadonlySet<string> = new Set(['serve', 'dev'])

const terminal = processTerminal()

async function main(args: readonly string[]): Promise<number> {
  // A server started without options does not need the command-line parser, so it is not loaded.
  if (args.length === 1 && args[0] === 'serve') {
    const { runServer } = await import('./serve.ts')
    return runServer(terminal)
  }
  const { CommanderError } = await import('commander')
  const { createProgram } = await import('./program.ts')
  let code = DONE
  const program = createProgram(terminal, versionOf(), (exitCode) => {
    code = exitCode
  })
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(explained(text)),
    })
  }
  try {
    await program.parseAsync(
      questionFirst(
        args,
        program.commands.map((command) => command.name()),
      ),
      {
        from: 'user',
      },
    )
    return code
  } catch (error) {
    // Help and version exit with 0; every other parser error is a usage error.
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : WRONG_USE
    throw error
  }
}

/** Adds advice on passing text that starts with a dash to a parser error. */
function explained(text: string): string {
  const [, option] = /^error: unknown option '(.*?)'/s.exec(text) ?? []
  const message = text.replace(/^error: /, 'strata: ')
  if (option === undefined || /^--[a-z][a-z-]*$/.test(option)) return message
  return `${message.trimEnd()}; write -- before a text that begins with a dash\n`
}

/**
 * Handles `--help` and `--version` before `--` first, so that options with a value do not consume
 * them.
 */
function questionFirst(args: readonly string[], commands: readonly string[]): string[] {
  const end = args.indexOf('--')
  const commandArgs = end < 0 ? args : args.slice(0, end)
  if (commandArgs.includes('--version')) return ['--version']
  if (!commandArgs.includes('--help') && !commandArgs.includes('-h')) return [...args]
  const [command] = commandArgs.filter((arg) => !arg.startsWith('-'))
  return command !== undefined && commands.includes(command) ? [command, '--help'] : ['--help']
}

function versionOf(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
    // Exits explicitly, because abandoned calls to models and servers would keep the process alive.
    if (SERVERS.has(process.argv[2] ?? '')) process.exit()
  },
  async (error: unknown) => {
    const { sentenceOf } = await import('./api.ts')
    process.stderr.write(`strata: ${visible(sentenceOf(error, process.env)).text}\n`)
    process.exitCode = error instanceof WrongUse ? WRONG_USE : FAILED
    // Exiting also closes resources that a server opened before its start failed.
    if (SERVERS.has(process.argv[2] ?? '')) process.exit()
  },
)
