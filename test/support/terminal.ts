/** A terminal that remembers what it was told; its cache of pushes is a folder of its own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment, Terminal } from '../../src/cli/terminal.ts'
import { cleanup } from './cleanup.ts'

export interface HeardTerminal extends Terminal {
  /** Whole lines of the result. */
  readonly lines: () => string[]
  readonly errors: string[]
}

export function terminal(env: Environment, input = ''): HeardTerminal {
  const cache = mkdtempSync(join(tmpdir(), 'strata-cache-'))
  cleanup.push(async () => rmSync(cache, { recursive: true, force: true }))
  let text = ''
  const errors: string[] = []
  return {
    env: { XDG_CACHE_HOME: cache, ...env },
    out: (line) => {
      text += `${line}\n`
    },
    part: (part) => {
      text += part
    },
    err: (line) => void errors.push(line),
    input: async () => input,
    lines: () => text.split('\n').slice(0, -1),
    errors,
  }
}
