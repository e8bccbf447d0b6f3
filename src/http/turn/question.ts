/** Formats a question to the user as a single text. */

import type { Question } from '../../core/run/log/question-facts.ts'

export function questionText({ question, choices = [] }: Question): string {
  const lines = choices.map(({ label, description }) =>
    description === undefined ? `- ${label}` : `- ${label}: ${description}`,
  )
  return [question, ...lines].join('\n')
}
