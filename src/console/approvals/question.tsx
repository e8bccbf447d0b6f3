/** The selected question: its choices, an answer in the reader's words, and the asking run. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { api, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { TextArea } from '../kit/field.tsx'
import { Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { RunLink } from '../run/run-link.tsx'
import { Ago, Plain } from '../text/text.tsx'
import { QuestionCard } from '../transcript/question.tsx'
import { EVERY_MS } from './use-approvals.ts'
import { Fact } from './why.tsx'

interface Props {
  /** ID of the run that asks. */
  readonly id: string
  readonly onAnswered: () => void
}

export function QuestionDetail({ id, onAnswered }: Props) {
  const words = useWords()
  const may = useMay('runs:write')
  const { data: run, error } = useQuery({
    queryKey: ['run', id],
    queryFn: () => api.runs.get(id),
    refetchInterval: EVERY_MS,
  })
  if (!run) return error ? <Problem error={error} /> : <Loading />
  const { question } = run
  const refreshAfterAnswer = (): void => {
    void queries.invalidateQueries({ queryKey: ['run', id] })
    void queries.invalidateQueries({ queryKey: ['runs', 'questions'] })
    onAnswered()
  }
  return (
    <div className="grid gap-4">
      <PollProblem error={error} hasData />
      {question ? (
        <>
          <QuestionCard
            key={question.call}
            question={{ ...question, path: [] }}
            run={id}
            hasEnded={false}
            onAnswered={refreshAfterAnswer}
          />
          {may && (
            <FreeAnswer key={`free-${question.call}`} run={id} onAnswered={refreshAfterAnswer} />
          )}
        </>
      ) : (
        <p role="status" className="text-sm text-text-2">
          {words('approvals.question.over')}
        </p>
      )}
      <dl className="grid gap-x-4 gap-y-2 text-sm grid-cols-[5.5rem_minmax(0,1fr)]">
        <Fact name={words('run.raw.input')}>
          <p className="line-clamp-6 whitespace-pre-wrap">
            <Plain text={run.input} />
          </p>
        </Fact>
        {question && (
          <Fact name={words('approvals.requested')}>
            <Ago at={question.asked_at} />
          </Fact>
        )}
        <Fact name={words('approvals.run')}>
          <RunLink run={id} text={run.label ?? run.agent} />
        </Fact>
      </dl>
    </div>
  )
}

interface FreeAnswerProps {
  readonly run: string
  readonly onAnswered: () => void
}

function FreeAnswer({ run, onAnswered }: FreeAnswerProps) {
  const words = useWords()
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () => api.runs.send(run, { content: text.trim() }),
    onSuccess: onAnswered,
  })
  const canSend = text.trim() !== '' && !send.isPending
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (canSend && !event.repeat) send.mutate()
  }
  return (
    <div className="grid justify-items-start gap-2">
      <div className="w-full">
        <TextArea
          label={words('approvals.question.free')}
          rows={2}
          value={text}
          onKeyDown={onKey}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <Problem error={send.error} />
      <Button busy={send.isPending} disabled={!canSend} onClick={() => send.mutate()}>
        {words('chat.answer')}
      </Button>
    </div>
  )
}
