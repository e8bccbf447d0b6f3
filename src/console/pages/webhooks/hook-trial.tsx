/** A hook tried on a pasted payload: the run that a message like it would start, or why none. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Code } from '../../ui/text.tsx'

type Hook = Schemas['Hook']
type Trial = Schemas['HookTrial']

export function HookTrial({ of }: { readonly of: Hook }) {
  const words = useWords()
  const [text, setText] = useState('')
  const [template, setTemplate] = useState(of.template)
  const [kind, setKind] = useState('')
  const [wrong, setWrong] = useState<string>()
  const trying = useMutation({
    mutationFn: (payload: unknown) =>
      api.hooks.try(of.id, {
        payload,
        ...(kind.trim() && { headers: { 'x-github-event': kind.trim() } }),
        ...(template !== of.template && { template }),
      }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    try {
      const payload: unknown = JSON.parse(text)
      setWrong(undefined)
      trying.mutate(payload)
    } catch (error) {
      trying.reset()
      setWrong(words('hooks.try.json', { why: (error as Error).message }))
    }
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <TextArea
        label={words('hooks.try.payload')}
        hint={words('hooks.try.hint')}
        wrong={wrong}
        autoFocus
        required
        rows={8}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {of.scheme === 'github' && (
        <Input
          label={words('hooks.try.event')}
          placeholder="issues"
          spellCheck={false}
          value={kind}
          onChange={({ target }) => setKind(target.value)}
        />
      )}
      <TextArea
        label={words('hooks.template')}
        rows={3}
        spellCheck={false}
        className="font-mono text-xs"
        value={template}
        onChange={({ target }) => setTemplate(target.value)}
      />
      <div>
        <Button look="primary" type="submit" busy={trying.isPending}>
          {words('hooks.try')}
        </Button>
      </div>
      <Problem error={trying.error} />
      {trying.data && <Outcome trial={trying.data} />}
    </form>
  )
}

function Outcome({ trial }: { readonly trial: Trial }) {
  const words = useWords()
  const { starts_run, reason, event, input, run, missing, cut, media } = trial
  const lost = media.filter(({ found }) => !found).map(({ path }) => path)
  const lines = [
    reason,
    run.session_id ? words('hooks.try.session', { id: run.session_id }) : '',
    event === null ? words('hooks.try.kind.none') : words('hooks.try.kind', { event }),
    missing.length > 0 ? words('hooks.try.missing', { what: missing.join(', ') }) : '',
    cut.length > 0 ? words('hooks.try.cut', { what: cut.join(', ') }) : '',
    lost.length > 0 ? words('hooks.try.media', { what: lost.join(', ') }) : '',
  ]
  return (
    <div role="status" className="grid gap-3">
      <div>
        <Badge tone={starts_run ? 'good' : 'warn'}>
          {starts_run
            ? words('hooks.try.starts', { agent: run.agent ?? 'general' })
            : words('hooks.try.none')}
        </Badge>
      </div>
      <ul className="grid gap-1 text-sm [overflow-wrap:anywhere]">
        {lines
          .filter((line) => line)
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ul>
      {input !== null && (
        <div className="grid gap-1">
          <h3 className="text-sm font-medium">{words('hooks.try.input')}</h3>
          <Code value={input} label={words('hooks.try.input')} />
        </div>
      )}
    </div>
  )
}
