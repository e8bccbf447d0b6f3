/** First commands of an author: create a layer, add a server, and run tests. */

import { Argument, InvalidArgumentError, Option } from 'commander'
import { FILE_TYPES, type FileType } from '../core/config/types.ts'
import { type Add, type Done, json, some } from './arguments.ts'
import type { Terminal } from './terminal.ts'
import { TOOL_LANGUAGES, type ToolLanguage } from './tool-files.ts'

const SCRIPTS = `
Variables of a file .env here are read; those of the shell go before them. Without a provider's key
a scripted model answers: it repeats what it is asked, or follows lines of an input such as
  @say Hello {input}        answers; {last} is the last tool result, {results} counts subagents
  @call todo {"todos": []}  asks for a tool; several such lines are calls at once
  @text I look first.       stands beside the calls of one answer
  @spawn 3 {"task": "@say part {i}"}   starts three subagents
  @await                    waits for all that @spawn started; @await 1 waits for one answer
  @then                     ends an answer, so that more calls can follow
  @slow 2000                thinks for two seconds
  @fail 500 times=2         fails twice`

export function beginnings(add: Add, terminal: Terminal, done: Done): void {
  add('dev', 'start a server for the layers of this folder; without a key, with a scripted model')
    .option('--port <n>', 'port to listen on instead of 8787; 0: any free port', port)
    .option('--data <dir>', 'data folder instead of .data')
    .addHelpText('after', SCRIPTS)
    .action(async (options: { port?: number; data?: string }) => {
      const { dev } = await import('./dev.ts')
      done(await dev(terminal, options))
    })
  add('init', 'write a commented layer and .env.example; existing files are unchanged')
    .argument('[dir]', 'a folder', '.')
    .addOption(
      new Option('--tool <language>', 'write a tool of your own instead: an MCP server').choices(
        TOOL_LANGUAGES,
      ),
    )
    .action(async (dir: string, { tool }: { tool?: ToolLanguage }) => {
      const { init, initTool } = await import('./init.ts')
      done(tool === undefined ? init(terminal, dir) : initTool(terminal, dir, tool))
    })
  add('schema', 'print the JSON Schema of a file, for editors')
    .addArgument(
      new Argument('<type>', 'front matter of a file, or config.toml').choices(FILE_TYPES),
    )
    .action(async (type: FileType) => {
      const { fileSchema } = await import('../core/config/file-schemas.ts')
      terminal.out(JSON.stringify(fileSchema(type), null, 2))
      done(0)
    })
  add('test', 'run the tests of a pack in memory: tests/*.md beside its layers')
    .argument('[place]', 'folder of layers, or one of its tests', '.')
    .option('--only <text>', 'only tests whose name or path contains it; repeatable', some, [])
    .option('--junit <file>', 'write a JUnit XML report to this file')
    .option('--record', 'make the recordings that tests replay, with real models and servers')
    .addOption(json())
    .action(async (place: string, options) => {
      const { test } = await import('./test.ts')
      done(await test(terminal, { place, ...options }))
    })
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}
