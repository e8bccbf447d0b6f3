/** Planted bugs of questions to the user (rule 22a). */

import { inside } from '../planting/patch.ts'
import { type Bug, bug } from './bug.ts'

export const QUESTIONS: readonly Bug[] = [
  bug(
    'rule 22a: all questions are asked at once',
    inside(
      'followQuestions',
      'waiting.some((call) => questionOf(call) !== null)',
      'waiting.every((call) => questionOf(call) !== null)',
    ),
    inside(
      'followQuestions',
      'return [questionAsked(state, next, now)]',
      'return waiting.flatMap((one) => (questionOf(one) ? [] : [questionAsked(state, one, now)]))',
    ),
  ),
  bug(
    'rule 22a: a question to the user expires before its time',
    inside('question:closing', 'now >= expires_at', 'now >= expires_at - 4_000'),
  ),
  bug(
    'rule 22a: the clock runs while the user is asked',
    inside('waitingOf', " || on === 'input'", ''),
  ),
  bug(
    'rule 22a: nobody is there when a question expires',
    inside(
      'personUntil',
      'deadlines.push(question.expires_at)',
      'deadlines.push(question.expires_at + 9e9)',
    ),
  ),
  bug(
    'rule 22a: an answer that is sent again is another message',
    inside(
      'accepts:messageOf',
      'if (answer) return answer',
      'if (answer && id === "") return answer',
    ),
  ),
  bug(
    'rule 22a: the answer of a question is that of another',
    inside(
      'questionResult',
      "question?.outcome === 'answered' ? question.answer : null",
      "question?.outcome === 'answered' ? { text: 'yes' } : null",
    ),
  ),
]
