/** `strata init [dir]`: the files of `init-files.ts`, wherever nothing is in their place yet. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { INIT_FILES } from './init-files.ts'
import type { Terminal } from './terminal.ts'

/** The exit code. */
export function init({ out }: Terminal, dir: string): number {
  for (const [path, text] of Object.entries(INIT_FILES)) {
    const file = join(dir, path)
    mkdirSync(dirname(file), { recursive: true })
    out(isWritten(file, text) ? `wrote ${file}` : `left  ${file}: it is there already`)
  }
  out(`
Look at the files, then:
  npx strata check ${dir}   # one line for each finding; there are none now
  npx strata test ${dir}    # runs the one in tests/, without a server or a key
  npx strata dev            # in that folder: a server that reads them`)
  return 0
}

/** False when something has that name; nothing is changed then. */
function isWritten(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
