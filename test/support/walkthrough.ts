/**
 * A document as a person follows it: its files are written, its commands run in one shell beside
 * `strata dev`, and what it shows below a command is compared with what the command printed.
 *
 *   ```sh            commands; the ones that begin `npx strata dev` start the server
 *   ```text          below commands: the output, where `…` stands for anything in a line, and a
 *                    line of it alone for any number of lines
 *   ```md path       a file of the folder; so with toml, json and every other language
 *   ```ts            a program for `strata/client`, run by Node
 *   <!-- not run: … --> above a block: why nobody runs it
 */

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Started, startNode } from '../../examples/demo/process.ts'
import { until } from './patience.ts'
import { MAIN } from './server.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Block {
  readonly line: number
  readonly language: string
  /** The path of a file; '' where the block is none. */
  readonly path: string
  readonly text: string
  /** Why it is not run. */
  readonly skipped: string | undefined
}

export function blocksOf(markdown: string): Block[] {
  const fence = /(?:<!-- not run: (.*?) -->\n)?^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm
  return [...markdown.matchAll(fence)].map(
    ([, skipped, language = '', path = '', text = ''], at) => ({
      line: markdown.slice(0, [...markdown.matchAll(fence)][at]?.index).split('\n').length,
      ...{ language, path, text, skipped },
    }),
  )
}

export interface Step {
  readonly line: number
  readonly expected: string | undefined
  readonly printed: string
  readonly code: number
}

/** Runs the blocks in this folder; what has become of each that printed something. */
export async function walk(
  blocks: readonly Block[],
  folder: string,
  open: (close: () => Promise<void>) => void,
): Promise<Step[]> {
  const shell = new Shell(folder)
  open(async () => shell.end())
  const steps: Step[] = []
  for (const [at, { line, language, path, text, skipped }] of blocks.entries()) {
    if (skipped !== undefined || (language === 'text' && path === '')) continue
    const next = blocks[at + 1]
    const expected = next?.language === 'text' && next.path === '' ? next.text : undefined
    if (path !== '') {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), programOf(text))
    } else if (text.startsWith('npx strata dev')) {
      const { url, printed } = await startDev(folder, open)
      shell.url = url
      steps.push({ line, expected, code: 0, printed: printed.replaceAll(url, DEFAULT_URL) })
    } else {
      const command = language === 'ts' ? nodeOf(text, folder, line) : text
      let { code, printed } = await shell.run(command)
      for (let tries = 1; tries < READS && lags(command, printed, expected); tries += 1) {
        await sleep(READ_MS)
        ;({ code, printed } = await shell.run(command))
      }
      steps.push({ line, expected, code, printed })
    }
  }
  return steps
}

/** Lists may lag behind writes: a block that only reads is run again until it shows its output. */
const READS = 100
const READ_MS = 200
const lags = (command: string, printed: string, expected: string | undefined): boolean =>
  expected !== undefined && !agrees(printed, expected) && READ.test(command)
/** One request by curl, or by the guides' `api`, that sends nothing. */
const READ = /^(?:curl -sS?|api)(?![^|\n]* -(?:d|X|F|T|-json)\b)[^\n]*\n$/

const DEFAULT_URL = 'http://127.0.0.1:8787'

/** Before a release there is no package to import. */
function programOf(text: string): string {
  const src = (path: string): string => `'${pathToFileURL(join(ROOT, 'src', path)).href}'`
  return text
    .replace("'strata/client'", src('client/index.ts'))
    .replace("'strata/webhooks'", src('webhooks/index.ts'))
    .replace("'strata/testing'", src('testing/index.ts'))
}

function nodeOf(text: string, folder: string, line: number): string {
  const file = join(folder, `program-${line}.ts`)
  writeFileSync(file, programOf(text))
  return `node ${file}`
}

async function startDev(folder: string, open: (close: () => Promise<void>) => void) {
  const { PATH = '' } = process.env
  const env = { HOME: folder, PATH, LOG_LEVEL: 'silent', PORT: '0' }
  const dev: Started = startNode([join(ROOT, MAIN), 'dev'], { cwd: folder, env })
  open(() => dev.stop('SIGKILL'))
  await dev.line(/Press Ctrl-C to stop/)
  const [, url = ''] = await dev.line(/listens on (\S+)/)
  return { url, printed: dev.output() }
}

/** One bash, so that variables last from block to block. */
class Shell {
  url = DEFAULT_URL
  readonly #child
  #output = ''

  constructor(folder: string) {
    const bin = join(folder, '.bin')
    mkdirSync(bin)
    const strata = `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, MAIN)} "$@"\n`
    writeFileSync(join(bin, 'strata'), strata, { mode: 0o755 })
    writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
    const path = `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`
    this.#child = spawn('bash', { cwd: folder, env: { PATH: path, HOME: folder } })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString()
      })
  }

  async run(commands: string): Promise<{ readonly code: number; readonly printed: string }> {
    this.#output = ''
    const text = commands.replaceAll(DEFAULT_URL, this.url)
    const server = `export STRATA_URL=${this.url}`
    this.#child.stdin.write(`${server}\n${text}\nprintf '\\n@ended %s\\n' "$?"\n`)
    const ended = () => /\n@ended (\d+)\n/.exec(this.#output) ?? undefined
    const [whole, code] = await until(`the end of ${commands}`, ended)
    const printed = this.#output.replace(whole, '').replaceAll(this.url, DEFAULT_URL)
    return { code: Number(code), printed }
  }

  /** And what it has started in the background. */
  end(): void {
    this.#child.stdin.end('kill $(jobs -p) 2>/dev/null; exit\n')
  }
}

/** Whether the output is the one that a document shows. */
export function agrees(printed: string, expected: string): boolean {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const lines = expected.trim().split('\n')
  const patterns = lines.map((line) =>
    line.trim() === '…' ? '(?:.*\n)*?' : `${line.split('…').map(literal).join('.*')}\n`,
  )
  return new RegExp(`^${patterns.join('')}$`).test(`${printed.trim()}\n`)
}
