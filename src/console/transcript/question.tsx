/**
 * Question that a model asks: choices are buttons and a schema is a form. Any other question is
 * answered in the composer.
 */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Problem } from '../kit/notice.tsx'
import { objectSchema, SchemaForm } from '../kit/schema-form.tsx'
import { StateIcon } from '../kit/status.tsx'
import type { Question } from '../log/shape.ts'
import { Ago, Plain } from '../text/text.tsx'

interface Props {
  readonly question: Question & { readonly outcome?: string }
  readonly run: string
  readonly hasEnded: boolean
  /** Called after the answer was sent. */
  readonly onAnswered?: () => void
}

type QuestionPart = Question['questions'][number]
type Selection = Readonly<Record<number, readonly string[]>>

export function QuestionCard({ question, run, hasEnded, onAnswered }: Props) {
  const words = useWords()
  const may = useMay('runs:write')
  const { questions, outcome, expires_at } = question
  const [selection, choose] = useState<Selection>({})
  const send = useMutation({
    mutationFn: (content: string) => api.runs.send(run, { content }),
    onSuccess: () => onAnswered?.(),
  })
  const isOpen = outcome === undefined && !hasEnded
  const [only] = questions
  // If there is only one question, with a single choice, clicking an option answers it.
  const isOneChoice = questions.length === 1 && only?.multiple !== true
  const schema = questions.length === 1 ? objectSchema(only?.schema) : undefined
  const onChoose = (at: number, label: string): void => {
    if (isOneChoice) send.mutate(label)
    else choose({ ...selection, [at]: toggled(selection[at] ?? [], label, questions[at]) })
  }
  const isDisabled = !isOpen || send.isPending || !may
  const hasChosen = Object.values(selection).some(({ length }) => length > 0)
  return (
    <section
      className={`grid gap-3 rounded-lg border border-line border-l-3 px-4 py-3 ${isOpen ? 'border-l-asks' : ''}`}
    >
      {questions.map((part, at) => (
        <div key={part.question} className="grid gap-2">
          <p className="flex gap-2 font-semibold whitespace-pre-wrap [overflow-wrap:anywhere]">
            {isOpen && (
              <span className="pt-1">
                <StateIcon state="asks" />
              </span>
            )}
            <Plain text={part.question} />
          </p>
          <Choices
            question={part}
            chosen={selection[at] ?? []}
            isDisabled={isDisabled}
            onChoose={(label) => onChoose(at, label)}
          />
        </div>
      ))}
      <Problem error={send.error} />
      {isOpen && !may && <Forbidden scope="runs:write" />}
      {isOpen && schema && may && (
        <FormAnswer schema={schema} isBusy={send.isPending} onAnswer={send.mutate} />
      )}
      {isOpen && !isOneChoice && hasChosen && (
        <div>
          <Button
            look="primary"
            busy={send.isPending}
            onClick={() => send.mutate(answerOf(questions, selection))}
          >
            {words('chat.answer')}
          </Button>
        </div>
      )}
      <p className="text-xs text-text-3">
        {isOpen ? (
          <>
            {words('chat.answer.hint')} · {words('approval.expires')} <Ago at={expires_at} />
          </>
        ) : (
          words(outcome === undefined ? 'chat.unanswered' : 'chat.answered')
        )}
      </p>
    </section>
  )
}

function toggled(labels: readonly string[], label: string, question: QuestionPart | undefined) {
  if (labels.includes(label)) return labels.filter((selectedLabel) => selectedLabel !== label)
  return [...(question?.multiple ? labels : []), label]
}

const answerOf = (questions: readonly QuestionPart[], selection: Selection): string =>
  questions
    .map(({ question }, at) => `${question}\n${(selection[at] ?? []).join(', ')}`)
    .join('\n\n')

interface ChoicesProps {
  readonly question: QuestionPart
  readonly chosen: readonly string[]
  readonly isDisabled: boolean
  readonly onChoose: (label: string) => void
}

function Choices({ question, chosen: selection, isDisabled, onChoose }: ChoicesProps) {
  const { choices = [] } = question
  if (choices.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {choices.map(({ label, description }) => (
        <Button
          key={label}
          title={description}
          disabled={isDisabled}
          aria-pressed={selection.includes(label)}
          look={selection.includes(label) ? 'primary' : 'plain'}
          onClick={() => onChoose(label)}
        >
          <Plain text={label} />
        </Button>
      ))}
    </div>
  )
}

interface FormProps {
  readonly schema: NonNullable<ReturnType<typeof objectSchema>>
  readonly isBusy: boolean
  readonly onAnswer: (content: string) => void
}

function FormAnswer({ schema, isBusy, onAnswer }: FormProps) {
  const words = useWords()
  const [values, setValues] = useState<Readonly<Record<string, unknown>> | undefined>({})
  const isMissing = (schema.required ?? []).some((name) => values?.[name] === undefined)
  return (
    <div className="grid gap-3">
      <SchemaForm schema={schema} values={{}} onValues={setValues} />
      <div>
        <Button
          look="primary"
          busy={isBusy}
          disabled={!values || isMissing}
          onClick={() => onAnswer(JSON.stringify(values))}
        >
          {words('chat.answer')}
        </Button>
      </div>
    </div>
  )
}
