/** The three answers to a call that waits: by a button, or by a, d and e. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent as Pressed, type ReactNode, useEffect, useRef, useState } from 'react'
import { api, type Schemas } from '../app/api.ts'
import { useMay } from '../app/session.ts'
import { meansChosen } from '../app/shortcuts.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'
import { TextArea } from './field.tsx'
import { Loading, Problem } from './notice.tsx'
import { objectSchema, SchemaForm } from './schema-form.tsx'

type Approval = Schemas['Approval']
type Answer = Schemas['DecisionInput']

/** Reads and decides: the session of the console, or the token of a link. */
export interface Decider {
  readonly get: (id: string) => Promise<Approval>
  readonly decide: (id: string, answer: Answer) => Promise<unknown>
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

interface Props {
  readonly approval: Approval
  /** The keys are about this one. */
  readonly keys: boolean
  readonly by: Decider | undefined
  /** A form was left without an answer: the focus is to go back. */
  readonly onBack: () => void
}

export function Answers({ approval, keys, by, onBack }: Props) {
  const words = useWords()
  const cache = useQueryClient()
  const signedIn = useMay('approvals:write')
  const may = by !== undefined || signedIn
  const { get, decide: send } = by ?? api.approvals
  const [mode, setMode] = useState<'ask' | 'deny' | 'edit'>('ask')
  const decide = useMutation({
    mutationFn: (answer: Answer) => send(approval.id, { ...answer, args_hash: approval.args_hash }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['approvals'] }),
  })
  const approve = (): void => decide.mutate({ decision: 'approve' })
  const back = (): void => {
    setMode('ask')
    onBack()
  }
  useEffect(() => {
    if (!keys || mode !== 'ask' || !may) return
    const onKey = (event: KeyboardEvent): void => {
      const { key } = event
      if (!/^[ade]$/.test(key) || !meansChosen(event)) return
      event.preventDefault()
      // What is on its way is neither sent twice nor changed.
      if (decide.isPending) return
      if (key === 'a') approve()
      else setMode(key === 'd' ? 'deny' : 'edit')
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (!may) return <p className="text-xs text-muted">{words('error.forbidden')}</p>
  const form = { busy: decide.isPending, onBack: back, onAnswer: decide.mutate }
  return (
    <div className="grid gap-3">
      <Problem error={decide.error} />
      {mode === 'ask' && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" busy={decide.isPending} onClick={approve}>
            {words('approvals.approve')}
          </Button>
          <Button look="danger" onClick={() => setMode('deny')}>
            {words('approvals.deny')}
          </Button>
          <Button look="quiet" onClick={() => setMode('edit')}>
            {words('approvals.edit')}
          </Button>
        </div>
      )}
      {mode === 'deny' && <Deny {...form} />}
      {mode === 'edit' && <Edit {...form} {...{ approval, get }} />}
    </div>
  )
}

interface Form {
  readonly busy: boolean
  readonly onBack: () => void
  readonly onAnswer: (answer: Answer) => void
}

interface FrameProps {
  /** Undefined: it cannot be sent as it stands. */
  readonly send: (() => void) | undefined
  readonly onBack: () => void
  /** Names the fields: others take the focus anew. */
  readonly kind: string
  readonly children: ReactNode
}

/** A small form in the page: its first field has the focus, Ctrl-Enter sends, Escape cancels. */
function Frame({ send, onBack, kind, children }: FrameProps) {
  const ref = useRef<HTMLDivElement>(null)
  const words = useWords()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other fields, and another first one.
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [kind])
  const onKey = (event: Pressed): void => {
    const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    // Escape that leaves an input method cancels its word, and not the form.
    if (event.nativeEvent.isComposing || !(isSent || event.key === 'Escape')) return
    event.preventDefault()
    if (!isSent) onBack()
    else if (!event.repeat) send?.()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do the same.
    <div ref={ref} className="grid gap-3" onKeyDown={onKey}>
      {children}
      <p className="text-xs text-muted">{words('approvals.form.keys')}</p>
    </div>
  )
}

function Deny({ busy, onBack, onAnswer }: Form) {
  const words = useWords()
  const [reason, setReason] = useState('')
  const send = (): void => onAnswer({ decision: 'deny', reason: reason.trim() || null })
  return (
    <Frame kind="deny" send={busy ? undefined : send} onBack={onBack}>
      <TextArea
        label={words('approvals.reason')}
        hint={words('approvals.reason.hint')}
        maxLength={2_000}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className="flex gap-2">
        <Button look="danger" busy={busy} onClick={send}>
          {words('approvals.deny')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {words('cancel')}
        </Button>
      </div>
    </Frame>
  )
}

interface EditProps extends Form, Pick<Decider, 'get'> {
  readonly approval: Approval
}

function Edit({ approval, get, busy, onBack, onAnswer }: EditProps) {
  const words = useWords()
  const { schema, isPending, error } = useSchema(approval, get)
  const [text, setText] = useState(() => pretty(approval.arguments))
  const [asText, setAsText] = useState(false)
  const [broken, setBroken] = useState(false)
  const parsed = objectIn(text)
  const form = schema && parsed && !asText
  const ready = parsed && !(form && broken) && !busy
  const send = (): void => {
    if (parsed) onAnswer({ decision: 'approve', arguments: parsed })
  }
  // The fields come with the schema: nothing that was typed before is to move into them.
  if (isPending) return <Loading />
  return (
    <Frame kind={form ? 'form' : 'text'} send={ready ? send : undefined} onBack={onBack}>
      <Problem error={error} />
      {form ? (
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
          label={words('approvals.arguments')}
          wrong={parsed ? undefined : words('approvals.object')}
          spellCheck={false}
          className="font-mono"
          rows={Math.min(16, text.split('\n').length + 1)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={busy} disabled={!ready} onClick={send}>
          {words('approvals.approve.edited')}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {words('cancel')}
        </Button>
        {schema && (
          <Button look="quiet" disabled={!parsed || broken} onClick={() => setAsText(!asText)}>
            {words(form ? 'form.as.json' : 'form.as.form')}
          </Button>
        )}
      </div>
    </Frame>
  )
}

/** Of the tool, which a list leaves out; undefined where there is none. */
function useSchema({ id, input_schema }: Approval, get: Decider['get']) {
  const { data, isLoading, error } = useQuery({
    queryKey: ['approvals', id, 'schema'],
    queryFn: async () => (await get(id)).input_schema ?? null,
    enabled: input_schema === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { schema: objectSchema(input_schema ?? data), isPending: isLoading, error }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
