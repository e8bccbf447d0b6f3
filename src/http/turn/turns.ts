/**
 * Divides a run's log into turns. A turn ends when the run ends or waits for its caller: for
 * function results or an answer. The next turn is a separate response, derived from the log alone.
 */

import type { LoggedFact, RunFact, TerminalFact } from '../../core/run/log/facts.ts'
import { isTerminalFact } from '../../core/run/log/facts.ts'
import type { Question } from '../../core/run/log/question-facts.ts'

export interface Turn {
  readonly index: number
  /** Index of the turn's first step. */
  readonly first: number
  readonly facts: readonly LoggedFact<RunFact>[]
  readonly end: TerminalFact | 'parked' | undefined
  /** Questions to the user that are open at the end of the turn. */
  readonly questions: readonly Question[]
}

/** Returns all turns so far; the last turn may be in progress. A log without facts has no turns. */
export function turnsOf(facts: readonly LoggedFact<RunFact>[]): Turn[] {
  const turns: Turn[] = []
  const open = new Set<string>()
  const questionsById = new Map<string, readonly Question[]>()
  let turnFacts: LoggedFact<RunFact>[] = []
  let step = 0
  let first = 0
  const close = (end: Turn['end']): void => {
    const questions = end === 'parked' ? [...questionsById.values()].flat() : []
    turns.push({ index: turns.length, first, facts: turnFacts, end, questions })
    turnFacts = []
    first = step
  }
  for (const entry of facts) {
    const { fact } = entry
    turnFacts.push(entry)
    switch (fact.type) {
      case 'assistant.message':
        step += 1
        for (const { id, mode } of fact.calls) if (mode === 'caller') open.add(id)
        break
      case 'tool.result':
        open.delete(fact.call)
        questionsById.delete(fact.call)
        break
      case 'question.asked':
        questionsById.set(fact.call, fact.questions)
        break
      case 'question.answered':
        questionsById.delete(fact.call)
        break
      case 'run.waiting':
        if ((fact.on === 'input' || fact.on === 'function') && open.size + questionsById.size > 0)
          close('parked')
        break
      default:
        if (isTerminalFact(fact)) close(fact)
    }
  }
  const last = turns.at(-1)
  // After a turn that ended with a wait, the next turn starts when input arrives.
  if (turnFacts.length > 0 || last === undefined) {
    if (facts.length > 0) close(undefined)
  }
  return turns
}
