/**
 * `ask_user`: asks the user a question and waits for the answer. The tool has no function of its
 * own: the call stays open until a message arrives or the question expires
 * (`core/run/human-input/question.ts`).
 */

import { visible } from '../../../lib/invisible-characters.ts'
import { LIMITS } from '../../limits.ts'
import type { Question } from '../../run/log/question-facts.ts'
import { isMap } from '../schema-values.ts'
import { type BuiltinTool, count, object, text } from './tool.ts'

const short = (maxLength: number, description: string) => ({ ...text(description), maxLength })

const CHOICES = {
  type: 'array',
  maxItems: LIMITS.question_choices,
  items: object(
    {
      label: { type: 'string', maxLength: 100 },
      description: short(200, 'Its meaning'),
    },
    ['label'],
  ),
  description: 'Other answers are always possible',
}
const MULTIPLE = { type: 'boolean', description: 'Allow several choices' }
const QUESTION = short(LIMITS.question_length, 'Include all the context needed')

export const askUser = {
  name: 'ask_user',
  mode: 'question',
  foreign: 'AskUserQuestion question request_user_input ask_user_question',
  user_facing: 5,
  parameters: { options: 'choices', multiSelect: 'multiple' },
  description:
    'Asks the user and waits for the answer, which is the result. Ask only what you ' +
    'cannot find out or decide yourself, and only once: use one `question`, or several ' +
    '`questions` that belong together. If no answer arrives in time, the result says so.',
  input_schema: object(
    {
      question: QUESTION,
      choices: CHOICES,
      multiple: MULTIPLE,
      questions: {
        type: 'array',
        minItems: 1,
        maxItems: LIMITS.questions_per_call,
        items: object(
          {
            question: QUESTION,
            header: short(100, 'Its topic, in one word'),
            choices: CHOICES,
            multiple: MULTIPLE,
          },
          ['question'],
        ),
        description: 'Instead of `question`: questions answered together',
      },
      expires_in_seconds: count("Default: the caller's limit", LIMITS.approval_seconds_max),
    },
    [],
  ),
} as const satisfies BuiltinTool

/**
 * Returns the questions of an `ask_user` call, or an error message for the model; `args` must match
 * the schema.
 */
export function questionsOf(args: Readonly<Record<string, unknown>>): Question[] | string {
  const { question, questions } = args
  if ((question === undefined) === (questions === undefined)) {
    return 'invalid_arguments: set either `question` or `questions`.'
  }
  const several = Array.isArray(questions)
  if (several && (args.choices !== undefined || args.multiple !== undefined)) {
    return 'invalid_arguments: with `questions`, set `choices` and `multiple` in each.'
  }
  const list = (several ? questions : [args]).filter(isMap).map(questionOf)
  if (list.every((item) => item.question.trim() !== '')) return list
  return 'invalid_arguments: a question is empty.'
}

function questionOf(args: Readonly<Record<string, unknown>>): Question {
  const { question, header, choices, multiple } = args
  const head = header ? `${header}: ` : ''
  const list = Array.isArray(choices) ? choices.filter(isMap).map(choiceOf) : []
  return {
    question: visibleText(`${head}${question}`),
    ...(list.length > 0 ? { choices: list } : {}),
    ...(multiple === true ? { multiple } : {}),
  }
}

const choiceOf = ({ label, description }: Readonly<Record<string, unknown>>) => ({
  label: visibleText(label),
  ...(description === undefined || description === null
    ? {}
    : { description: visibleText(description) }),
})

/** Escapes invisible characters in a question, because a person answers based on this text. */
const visibleText = (value: unknown): string => visible(String(value)).text

/** Tool result sent to the model if no person is available to answer. */
export const UNATTENDED =
  'unattended: no person can answer in this run. Decide yourself, and state your ' +
  'assumptions at the end.'
