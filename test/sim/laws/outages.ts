/**
 * Outages of models, as the log tells them: how long they are waited out, how often the model is
 * asked meanwhile, and when a run may fail for one (I16). Clocks of processes differ by seconds.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Shadow } from '../shadow/shadow.ts'

/** Two processes may have judged the time of what two facts say. */
const SKEW_MS = 12_000
/** The longest that a provider of this world asks for, with what is added to it. */
const WISH_MS = 500_000
const ATTEMPTS = 3
/** The pause before the second attempt at least, and the longest at least (ms). */
const FIRST_MS = 1_000
const LONGEST_MS = 150_000

/** So long at least that many attempts take, from the end of the first to that of the last. */
function leastMs(attempt: number): number {
  let sum = 0
  for (let one = 1; one < attempt; one += 1) sum += Math.min(LONGEST_MS, FIRST_MS * 2 ** (one - 1))
  return sum
}

export function I16_attemptsAreBounded(
  shadow: Shadow,
  fact: RunFact,
  at: number,
): string | undefined {
  if (fact.type !== 'run.waiting' || fact.on !== 'model') return undefined
  const { attempt = 0, since = at, gives_up_at, until } = fact
  if (attempt !== shadow.attempts + 1) return `attempt ${attempt} after ${shadow.attempts}`
  if (shadow.patience === 0) {
    const few = attempt < ATTEMPTS && gives_up_at === undefined
    return few ? undefined : `attempt ${attempt} of one step failed and another follows`
  }
  if (gives_up_at !== since + shadow.patience * 1_000) return 'its patience is not what it was'
  if (until === null || until > gives_up_at) return 'it waits beyond its patience'
  const began = shadow.outageSince ?? since
  return at - began + SKEW_MS < leastMs(attempt)
    ? `attempt ${attempt} came ${at - began} ms after the first`
    : undefined
}

/** Nobody gives up before the patience is over, unless the provider wants to be left alone longer. */
export function I16_outagesAreWaitedOut(
  shadow: Shadow,
  fact: RunFact,
  at: number,
): string | undefined {
  if (fact.type !== 'run.failed' || fact.error.code !== 'model_unavailable') return undefined
  const { patience, attempts, outageSince } = shadow
  if (patience === 0) {
    return attempts < ATTEMPTS - 1 ? `given up after ${attempts + 1} attempts` : undefined
  }
  const waited = outageSince === undefined ? 0 : at - outageSince
  return waited + SKEW_MS + WISH_MS < patience * 1_000
    ? `given up after ${waited} ms of a patience of ${patience} s`
    : undefined
}

/** Takes in what a fact says of an outage; while it lasts the run's clock stands still. */
export function foldOutages(shadow: Shadow, fact: RunFact, at: number): void {
  switch (fact.type) {
    case 'run.started':
      shadow.patience = fact.model_patience_seconds
      return
    case 'run.waiting':
      if (fact.on !== 'model') return
      shadow.attempts = fact.attempt!
      shadow.outageSince ??= Math.min(at, fact.since ?? at)
      return
    case 'memory.noted':
      shadow.attempts = 0
      if (fact.model !== null) answered(shadow, at)
      return
    case 'transcript.compacted':
      if (fact.model !== null) answered(shadow, at)
      return
    case 'assistant.message':
      answered(shadow, at)
  }
}

function answered(shadow: Shadow, at: number): void {
  shadow.attempts = 0
  if (shadow.outageSince === undefined) return
  if (shadow.patience > 0) shadow.stillMs += at - shadow.outageSince
  shadow.outageSince = undefined
}
