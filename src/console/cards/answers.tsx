/** Buttons for the three answers to an approval, with the keys a, d, and e. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { TextArea } from '../kit/field.tsx'
import { Forbidden, Loading, Problem } from '../kit/notice.tsx'
import { objectSchema, SchemaForm } from '../kit/schema-form.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { indented, objectIn } from '../text/json.ts'

type Approval = Schemas['Approval']
export type Answer = Schemas['DecisionInput']

export interface AnswerHandlers {
  /** Called with the approval as the server has decided it. */
  readonly onDecided?: ((approval: Approval) => void) | undefined
  /** Called with an answer that the server refused, for example after another decision. */
  readonly onRefused?: ((answer: Answer) => void) | undefined
}

interface Props extends AnswerHandlers {
  readonly approval: Approval
  readonly hasKeys: boolean
}

export function Answers({ approval, hasKeys, onDecided, onRefused }: Props) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('approvals:write')
  const [mode, setMode] = useState<'choose' | 'deny' | 'edit'>('choose')
  const decide = useMutation({
    mutationFn: (answer: Answer) =>
      api.approvals.decide(approval.id, { ...answer, args_hash: approval.args_hash }),
    onSuccess: (decided) => onDecided?.(decided),
    onError: (_, answer) => onRefused?.(answer),
    onSettled: () => cache.invalidateQueries({ queryKey: ['approvals'] }),
  })
  const approve = (): void => decide.mutate({ decision: 'approve' })
  const isReady = hasKeys && mode === 'choose' && may && !decide.isPending
  useKeys(isReady ? { a: approve, d: () => setMode('deny'), e: () => setMode('edit') } : {})
  if (!may) return <Forbidden scope="approvals:write" />
  const form = {
    isBusy: decide.isPending,
    onBack: () => setMode('choose'),
    onAnswer: decide.mutate,
  }
  return (
    <div className="grid gap-3">
      <Problem error={decide.error} />
      {mode === 'choose' && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" busy={decide.isPending} onClick={approve}>
            {words('approval.approve')} {hasKeys && <Key name="a" />}
          </Button>
          <Button disabled={decide.isPending} onClick={() => setMode('edit')}>
            {words('approval.edit')} {hasKeys && <Key name="e" />}
          </Button>
          <Button look="danger" disabled={decide.isPending} onClick={() => setMode('deny')}>
            {words('approval.deny')} {hasKeys && <Key name="d" />}
          </Button>
        </div>
      )}
      {decide.isPending && (
        <p role="status" className="text-xs text-text-2">
          {words('approvals.deciding')}
        </p>
      )}
      {mode === 'deny' && <Deny {...form} />}
      {mode === 'edit' && <Edit {...form} approval={approval} />}
    </div>
  )
}

const Key = ({ name }: { readonly name: string }) => (
  <span aria-hidden="true" className="font-mono text-xs opacity-70 pointer-coarse:hidden">
    {name}
  </span>
)

interface Form {
  readonly isBusy: boolean
  readonly onBack: () => void
  readonly onAnswer: (answer: Answer) => void
}

interface FrameProps {
  /** Submits the form; undefined if the form is incomplete or invalid. */
  readonly send: (() => void) | undefined
  readonly onBack: () => void
  /** Identifies the form's fields; when the kind changes, the new fields receive the focus. */
  readonly kind: string
  /** Whether Enter alone also submits the form; Shift-Enter then breaks the line. */
  readonly isEnterEnough?: boolean
  readonly children: ReactNode
}

/** Inline form: focuses its first field, submits with Ctrl-Enter, and cancels with Escape. */
function Frame({ send, onBack, kind, isEnterEnough = false, children }: FrameProps) {
  const ref = useRef<HTMLDivElement>(null)
  const words = useWords()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other fields have another first one.
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [kind])
  const onKey = (event: KeyboardEvent): void => {
    const isField = event.target instanceof HTMLTextAreaElement
    const isEnough = isEnterEnough && isField && !event.shiftKey
    const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey || isEnough)
    // Escape during an input method's composition cancels the composition instead of the form.
    if (event.nativeEvent.isComposing || !(sends || event.key === 'Escape')) return
    event.preventDefault()
    if (!sends) onBack()
    else if (!event.repeat) send?.()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same.
    <div ref={ref} className="grid gap-3" onKeyDown={onKey}>
      {children}
      <p className="text-xs text-text-3 pointer-coarse:hidden">
        {words(isEnterEnough ? 'approvals.deny.keys' : 'approval.keys')}
      </p>
    </div>
  )
}

function Deny({ isBusy, onBack, onAnswer }: Form) {
  const words = useWords()
  const [reason, setReason] = useState('')
  const send = (): void => onAnswer({ decision: 'deny', reason: reason.trim() || null })
  return (
    <Frame kind="deny" isEnterEnough send={isBusy ? undefined : send} onBack={onBack}>
      <TextArea
        label={words('approval.reason')}
        hint={words('approval.reason.hint')}
        maxLength={2_000}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className="flex gap-2">
        <Button look="danger" busy={isBusy} onClick={send}>
          {words('approval.deny')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {words('cancel')}
        </Button>
      </div>
    </Frame>
  )
}

function Edit({ approval, isBusy, onBack, onAnswer }: Form & { readonly approval: Approval }) {
  const words = useWords()
  const { schema, isPending, error } = useSchema(approval)
  const [text, setText] = useState(() => indented(approval.arguments))
  const [isJson, setJson] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const parsed = objectIn(text)
  const hasForm = schema && parsed && !isJson
  const isReady = parsed && !(hasForm && isBroken) && !isBusy
  const send = (): void => {
    if (parsed) onAnswer({ decision: 'approve', arguments: parsed })
  }
  // The fields depend on the schema: text typed before the schema loads must not move into other
  // fields.
  if (isPending) return <Loading />
  return (
    <Frame kind={hasForm ? 'form' : 'json'} send={isReady ? send : undefined} onBack={onBack}>
      <Problem error={error} />
      {hasForm ? (
        <SchemaForm
          schema={schema}
          values={parsed}
          onValues={(values) => {
            setBroken(values === undefined)
            if (values) setText(JSON.stringify(values, null, 2))
          }}
        />
      ) : (
        <TextArea
          label={words('approval.arguments')}
          wrong={parsed ? undefined : words('approval.object')}
          spellCheck={false}
          className="font-mono"
          rows={Math.min(16, text.split('\n').length + 1)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={isBusy} disabled={!isReady} onClick={send}>
          {words('approval.approve.edited')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {words('cancel')}
        </Button>
        {schema && (
          <Button look="quiet" disabled={!parsed || isBroken} onClick={() => setJson(!isJson)}>
            {words(hasForm ? 'form.as.json' : 'form.as.form')}
          </Button>
        )}
      </div>
    </Frame>
  )
}

/** Loads the schema of the tool's arguments from the run's configuration. */
function useSchema({ run_id, tool }: Approval) {
  const { data, isLoading, error } = useQuery({
    queryKey: ['run', run_id, 'config'],
    queryFn: () => api.runs.config(run_id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const definition = data?.tools.find(({ name }) => name === tool)
  return { schema: objectSchema(definition?.input_schema), isPending: isLoading, error }
}
