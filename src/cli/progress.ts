/** Progress bar for long commands. */

import type { Terminal } from './terminal.ts'

/** Progress of a long command: a bar on a terminal, otherwise no output. */
interface Progress {
  step(): void
  /** Removes the progress bar. */
  end(): void
}

const WIDTH = 30
/** Minimum interval between repaints in milliseconds; faster changes are not visible. */
const PAINT_MS = 50

export function progressOf({ status }: Terminal, word: string, total: number): Progress {
  if (status === undefined || total === 0) return { step: () => {}, end: () => {} }
  let done = 0
  let painted = 0
  const paint = (): void => {
    painted = Date.now()
    const full = Math.round((WIDTH * done) / total)
    status(`${word} ${'#'.repeat(full)}${'-'.repeat(WIDTH - full)} ${done}/${total}`)
  }
  paint()
  return {
    step() {
      done += 1
      if (done === total || Date.now() - painted > PAINT_MS) paint()
    },
    end: () => status(''),
  }
}
