/**
 * Peers at the far end that are no peers: they never answer, go on for ever, or say what makes no
 * sense, and take no notice when a caller hangs up. Only the caller's own time-out ends such a call.
 */

import { type Outcome, ok } from '../../../src/lib/outcome.ts'
import type { Delta, ModelAnswer, ToolOutcome, WebAnswer } from '../../../src/ports/world.ts'
import type { Process } from '../world/process.ts'
import type { Chance } from '../world/random.ts'
import type { Sim } from '../world/sim.ts'

/** An answer that never comes. */
export const silence = <T>(): Promise<T> => new Promise(() => {})

const WORD_MS = 5_000
/** So long does somebody talk at most: a world must come to its end. */
const WORDS = 300

/** Never ends, and talks all the time. */
export function endless<T>(
  { schedule }: Sim,
  process: Process,
  say: (delta: Delta) => void,
): Promise<T> {
  const talk = (left: number): void => {
    if (left === 0) return
    schedule.after(WORD_MS, process, '', () => {
      say({ type: 'text', text: 'and ' })
      talk(left - 1)
    })
  }
  talk(WORDS)
  return silence()
}

const LONG = 'x'.repeat(200_000)

/** What no provider would say, in the form of an answer: hundreds of calls, tools that nobody has. */
export const absurdAnswer = ({ parts, ...answer }: ModelAnswer, chance: Chance): ModelAnswer => ({
  ...answer,
  parts: [
    { type: 'text', text: chance.flip(0.5) ? LONG : '\u202e\u0007\u2028' },
    ...parts,
    ...Array.from({ length: chance.pick([1, 200]) }, (_, index) => ({
      type: 'call' as const,
      id: `same-${index % 3}`,
      provider_id: `same-${index % 3}`,
      tool: chance.pick(['', '__proto__', 'no such tool', 'x'.repeat(5_000), 'constructor']),
      arguments: chance.pick(['', '[]', '{"a":', 'null', '{"__proto__":{"x":1}}']),
    })),
  ],
})

export const absurdResult = (chance: Chance): Outcome<ToolOutcome, never> =>
  ok({ text: chance.pick(['', LONG, '\u0000\u001b[2J\u202e']), is_error: chance.flip(0.5) })

export const absurdReply = (chance: Chance): Outcome<WebAnswer, never> =>
  ok({
    status: chance.pick([0, -1, 99, 600, 999, Number.NaN]),
    headers: { 'retry-after': chance.pick(['', '-5', '1e999', 'Thu, 99 Xxx', '9'.repeat(400)]) },
    body: chance.pick(['', LONG]),
  })
