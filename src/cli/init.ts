/**
 * `strata init [dir]`: creates the files of `init-files.ts` where no file exists yet; with
 * `--tool`, the files of `tool-files.ts`.
 */

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GITIGNORE, INIT_FILES } from './init-files.ts'
import type { Terminal } from './terminal.ts'
import {
  TOOL_CONFIG,
  TOOL_FILES,
  TOOL_TABLE,
  type ToolFile,
  type ToolLanguage,
  toolEntry,
  toolProgram,
} from './tool-files.ts'

/** Writes the files of the first layer and returns the exit code. */
export function init({ out }: Terminal, dir: string): number {
  for (const [path, text] of Object.entries(INIT_FILES)) {
    const file = join(dir, path)
    mkdirSync(dirname(file), { recursive: true })
    out(isWritten(file, text) ? `wrote ${file}` : `kept  ${file}: already exists`)
  }
  out(`
Review the files, then run:
  npx strata check ${dir}   # prints one line per finding; currently none
  npx strata test ${dir}    # runs the test in tests/, without a server or a key
  npx strata dev            # in that folder: starts a server with these layers`)
  return 0
}

/** Writes a program with one tool and the tool's configuration entry. Returns the exit code. */
export function initTool({ out }: Terminal, dir: string, language: ToolLanguage): number {
  const tool = TOOL_FILES[language]
  const write = (path: string, text: string): boolean => {
    const file = join(dir, path)
    mkdirSync(dirname(file), { recursive: true })
    const isNew = isWritten(file, text)
    if (isNew) out(`wrote ${file}`)
    return isNew
  }
  if (!write(tool.path, tool.text)) out(`kept  ${join(dir, tool.path)}: already exists`)
  write('.gitignore', GITIGNORE)
  if (!write(TOOL_CONFIG, toolEntry(tool))) addEntry(out, join(dir, TOOL_CONFIG), tool)
  const packages = language === 'typescript' ? `\n  ${INSTALL}` : ''
  out(`
Agents call its tools as mcp__hours__<name>. Next, run:${packages}
  echo ALLOW_STDIO_MCP=true >> .env   # lets the server start programs named in layers
  npx strata dev                      # starts the tool and reloads it on save`)
  return 0
}

const INSTALL = 'npm install @modelcontextprotocol/server @hono/node-server zod'

function addEntry(out: Terminal['out'], config: string, tool: ToolFile): void {
  const text = readFileSync(config, 'utf8')
  if (text.includes(TOOL_TABLE)) {
    out(`kept  ${config}: already contains ${TOOL_TABLE}`)
    const program = toolProgram(tool)
    if (program.every((line) => text.includes(line))) return
    out(`This entry starts another program. To start ${tool.path}, change the entry to:`)
    for (const line of program) out(`  ${line}`)
    return
  }
  appendFileSync(config, `\n${toolEntry(tool)}`)
  out(`added ${TOOL_TABLE} to ${config}`)
}

/** Creates a file and returns true; returns false, without changes, if the path already exists. */
function isWritten(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
