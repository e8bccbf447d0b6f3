/** Template of a hook beside a pasted payload, and the run that such a message would start. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Input, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { Status } from '../kit/status.tsx'
import { Code, Plain } from '../text/text.tsx'
import { type Hook, messageOf } from './hook-state.ts'

export function HookPreview({ hook }: { readonly hook: Hook }) {
  const words = useWords()
  const [text, setText] = useState('')
  const [event, setEvent] = useState('')
  const preview = useMutation({
    mutationFn: () => api.hooks.preview(hook.id, messageOf(text, event)),
  })
  const submit = (form: FormEvent): void => {
    form.preventDefault()
    if (!preview.isPending) preview.mutate()
  }
  return (
    <section
      aria-label={words('webhooks.template')}
      className="grid grid-cols-[minmax(0,1fr)] gap-3"
    >
      <form className="grid gap-3 lg:grid-cols-2" onSubmit={submit}>
        <div className="grid min-w-0 content-start gap-1">
          <h3 className="text-sm font-medium">{words('webhooks.template')}</h3>
          <Code text={hook.template} label={words('webhooks.template')} />
        </div>
        <div className="grid min-w-0 content-start gap-3">
          <TextArea
            label={words('webhooks.payload')}
            hint={words('webhooks.payload.hint')}
            required
            rows={6}
            spellCheck={false}
            className="font-mono text-xs"
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              // The outcome belongs to the payload that was sent.
              preview.reset()
            }}
          />
          {hook.scheme === 'github' && (
            <Input
              label="X-GitHub-Event"
              placeholder="issues"
              spellCheck={false}
              value={event}
              onChange={({ target }) => {
                setEvent(target.value)
                preview.reset()
              }}
            />
          )}
          <Button
            type="submit"
            className="justify-self-start"
            disabled={text.trim() === ''}
            busy={preview.isPending}
          >
            {words('webhooks.preview')}
          </Button>
        </div>
      </form>
      <Problem error={preview.error} />
      {preview.data && <Outcome preview={preview.data} />}
    </section>
  )
}

function Outcome({ preview }: { readonly preview: Schemas['HookPreview'] }) {
  const words = useWords()
  const { starts, reason, event, input, media, missing, shortened } = preview
  const missingMedia = media.filter(({ source }) => source === 'missing').map(({ path }) => path)
  const lines = [
    reason?.message ?? '',
    event === null
      ? words('webhooks.preview.event.none')
      : words('webhooks.preview.event', { event }),
    missing.length > 0 && words('webhooks.preview.missing', { paths: missing.join(', ') }),
    shortened.length > 0 && words('webhooks.preview.shortened', { paths: shortened.join(', ') }),
    missingMedia.length > 0 && words('webhooks.preview.media', { paths: missingMedia.join(', ') }),
  ].filter((line) => typeof line === 'string' && line !== '')
  return (
    <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Status
        state={starts ? 'completed' : 'cancelled'}
        text={words(starts ? 'webhooks.preview.starts' : 'webhooks.preview.none')}
      />
      <ul className="grid gap-1 text-sm [overflow-wrap:anywhere]">
        {lines.map((line) => (
          <li key={`${line}`}>
            <Plain text={`${line}`} />
          </li>
        ))}
      </ul>
      {input !== null && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <h4 className="text-sm font-medium">{words('webhooks.preview.input')}</h4>
          <Code text={input} label={words('webhooks.preview.input')} />
        </div>
      )}
    </div>
  )
}
