/**
 * Output of the command line: results go to standard output, and errors and progress to standard
 * error. Models, servers, and files supply most of the text. Hidden characters are therefore
 * escaped here for every command.
 */

import { styleText } from 'node:util'
import type { Severity } from '../core/config/types.ts'
import { visible } from '../lib/invisible-characters.ts'

export type Print = (line: string) => void
export type Environment = Readonly<Record<string, string | undefined>>

export interface Terminal {
  readonly env: Environment
  /** Prints a line of the command's result. */
  readonly out: Print
  /** Prints part of a line of the result immediately. */
  readonly part: Print
  /** Prints a line about the command's progress, such as failures or excluded files. */
  readonly err: Print
  /**
   * Prints a finding in the color of its severity if standard error is a terminal; if absent, `err`
   * is used.
   */
  readonly finding?: ((severity: Severity, line: string) => void) | undefined
  /**
   * Replaces the last line of standard error with a progress line; absent if standard error is not
   * a terminal.
   */
  readonly status?: Print | undefined
  /**
   * Whether a person can answer, because standard input is a terminal. If absent, a person is
   * assumed.
   */
  readonly isInteractive?: boolean | undefined
  /** Reads all of standard input. */
  readonly input: () => Promise<string>
}

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  // A pipe reader that closes early (`| head`) is not an error.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
  return {
    env: process.env,
    out: (line) => void stdout.write(`${visible(line).text}\n`),
    part: (text) => void stdout.write(visible(text).text),
    err: (line) => void stderr.write(`${visible(line).text}\n`),
    finding: (severity, line) => {
      const text = visible(line).text
      stderr.write(`${styleText(COLORS[severity], text, { stream: stderr })}\n`)
    },
    status: stderr.isTTY
      ? (line) => void stderr.write(`\r\u001b[K${visible(line).text.slice(0, stderr.columns - 1)}`)
      : undefined,
    isInteractive: process.stdin.isTTY === true,
    input: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}
