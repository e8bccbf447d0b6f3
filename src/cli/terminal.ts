/**
 * Output of the command line: results go to standard output, errors and progress to standard error.
 * Models, servers and files supply most of the text, so hidden characters are escaped here for
 * every command.
 */

import { styleText } from 'node:util'
import type { Severity } from '../core/config/types.ts'
import { visible } from '../lib/invisible-characters.ts'

export type Print = (line: string) => void
export type Environment = Readonly<Record<string, string | undefined>>

export interface Terminal {
  readonly env: Environment
  /** A line of the result. */
  readonly out: Print
  /** A part of a line of the result, shown at once. */
  readonly part: Print
  /** A line about the work: what failed, what was left out. */
  readonly err: Print
  /** The same in the color of a severity where the standard error is a terminal; absent: `err`. */
  readonly finding?: ((severity: Severity, line: string) => void) | undefined
  /** Replaces the last line of the standard error; absent when it is no terminal. */
  readonly status?: Print | undefined
  /** Whether a person may answer: the standard input is a terminal. Absent: it may be. */
  readonly isInteractive?: boolean | undefined
  /** All of the standard input. */
  readonly input: () => Promise<string>
}

const COLORS = { error: 'red', warning: 'yellow', note: 'dim' } as const

/** The one of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  // A reader that goes away (`| head`) is no failure of ours.
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
