/** Commands for layer authors: create a layer, add a server, and run tests. */

import { Argument, InvalidArgumentError, Option } from 'commander'
import { FILE_TYPES, type FileType } from '../core/config/types.ts'
import { type Add, type Done, json, some } from './arguments.ts'
import type { Terminal } from './terminal.ts'
import { TOOL_LANGUAGES, type ToolLanguage } from './tool-files.ts'

const SCRIPTS = `
The server reads variables from .env in this folder; shell variables override them. Without a
provider key, a scripted model answers. It repeats the input, or follows lines in it such as
  @say Hello {input}        answers; {last} is the last tool result, {results} the subagent count
  @call todo {"todos": []}  calls a tool; consecutive lines are parallel calls
  @text I look first.       adds text to an answer with calls
  @spawn 3 {"task": "@say part {i}"}   starts three subagents
  @await                    waits for all subagents; @await 1 waits for one
  @then                     ends an answer, so that more calls can follow
  @slow 2000                waits two seconds before it answers
  @fail 500 times=2         fails twice with status 500`

export function beginnings(add: Add, terminal: Terminal, done: Done): void {
  add(
    'dev',
    'start a server for the layers in this folder; without a provider key, it uses a ' +
      'scripted model',
  )
    .option('--port <n>', 'port to listen on (default 8787); 0 selects a free port', port)
    .option('--data <dir>', 'data folder (default .data)')
    .addHelpText('after', SCRIPTS)
    .action(async (options: { port?: number; data?: string }) => {
      const { dev } = await import('./dev.ts')
      done(await dev(terminal, options))
    })
  add('init', 'write a commented sample layer and .env.example without changing existing files')
    .argument('[dir]', 'a folder', '.')
    .addOption(
      new Option('--tool <language>', 'write a sample tool (an MCP server) instead').choices(
        TOOL_LANGUAGES,
      ),
    )
    .action(async (dir: string, { tool }: { tool?: ToolLanguage }) => {
      const { init, initTool } = await import('./init.ts')
      done(tool === undefined ? init(terminal, dir) : initTool(terminal, dir, tool))
    })
  add('schema', 'print the JSON Schema of a file type, for editors')
    .addArgument(
      new Argument('<type>', 'file type: a kind of front matter, or config.toml').choices(
        FILE_TYPES,
      ),
    )
    .action(async (type: FileType) => {
      const { fileSchema } = await import('../core/config/file-schemas.ts')
      terminal.out(JSON.stringify(fileSchema(type), null, 2))
      done(0)
    })
  add('test', 'run the tests of a pack (tests/*.md next to its layers) in memory')
    .argument('[place]', 'folder with layers, or one of its tests', '.')
    .option(
      '--only <text>',
      'run only tests whose name or path contains this text; repeatable',
      some,
      [],
    )
    .option('--junit <file>', 'write a JUnit XML report to this file')
    .option('--record', 'create the recordings that tests replay, using real models and servers')
    .addOption(json())
    .action(async (place: string, options) => {
      const { test } = await import('./test.ts')
      done(await test(terminal, { place, ...options }))
    })
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('The port must be an integer from 0 to 65535.')
}
