/** A question to the user: choices can be pressed, anything else is written below. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import type { Asking } from '../../chat/shape.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Ago, Code } from '../../ui/text.tsx'

interface Props {
  readonly question: Asking & { readonly outcome?: string }
  readonly run: string
  readonly ended: boolean
}

export function QuestionCard({ question, run, ended }: Props) {
  const words = useWords()
  const { questions, outcome, expires_at } = question
  const [chosen, choose] = useState<Readonly<Record<number, readonly string[]>>>({})
  const send = useMutation({
    mutationFn: (content: string) => api.runs.send(run, { content }),
  })
  const open = outcome === undefined && !ended
  const [only] = questions
  const atOnce = questions.length === 1 && !only?.multiple
  const toggle = (at: number, label: string, multiple: boolean): void => {
    if (atOnce) return send.mutate(label)
    const before = chosen[at] ?? []
    const next = before.includes(label)
      ? before.filter((one) => one !== label)
      : [...(multiple ? before : []), label]
    choose({ ...chosen, [at]: next })
  }
  const answer = questions
    .map(({ question: text }, at) => `${text}\n${(chosen[at] ?? []).join(', ')}`)
    .join('\n\n')
  return (
    <section className="grid gap-3 rounded-xl border border-accent bg-surface p-4">
      {questions.map((one, at) => (
        <div key={one.question} className="grid gap-2">
          <p className="text-sm font-medium [overflow-wrap:anywhere] whitespace-pre-wrap">
            {one.question}
          </p>
          {one.schema !== undefined && <Code value={one.schema} />}
          <div className="flex flex-wrap gap-2">
            {(one.choices ?? []).map(({ label, description }) => (
              <Button
                key={label}
                title={description}
                disabled={!open || send.isPending}
                aria-pressed={chosen[at]?.includes(label) ?? false}
                look={chosen[at]?.includes(label) ? 'primary' : 'plain'}
                onClick={() => toggle(at, label, one.multiple === true)}
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
      ))}
      <Problem error={send.error} />
      {open && !atOnce && Object.values(chosen).some(({ length }) => length > 0) && (
        <div>
          <Button look="primary" busy={send.isPending} onClick={() => send.mutate(answer)}>
            {words('chat.answer')}
          </Button>
        </div>
      )}
      <p className="text-xs text-muted">
        {open ? words('chat.answer.hint') : words('chat.answered')}{' '}
        {open && (
          <>
            {words('approvals.until')} <Ago at={expires_at} />
          </>
        )}
      </p>
    </section>
  )
}
