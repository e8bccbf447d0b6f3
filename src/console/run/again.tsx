/** Creates another run from the request that created this run, which can be edited first. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { TextArea } from '../kit/field.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { objectIn } from '../text/json.ts'
import { Plain } from '../text/text.tsx'
import { commandsFor } from './copy-as.ts'

export function RunAgain({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['run', id, 'input'],
    queryFn: () => api.runs.input(id),
  })
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return <Request copy={data} />
}

function Request({ copy }: { readonly copy: Schemas['RunInputCopy'] }) {
  const words = useWords()
  const navigate = useNavigate()
  const [text, setText] = useState(() => JSON.stringify(copy.request, null, 2))
  /** Key of the request as it is; an edited request is another one. */
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID())
  const body = objectIn(text)
  const create = useMutation({
    mutationFn: (request: object) =>
      api.runs.create(request as Schemas['RunInput'], {
        idempotencyKey,
      }),
    onSuccess: ({ id }) => void navigate({ to: '/runs/$run', params: { run: id } }),
  })
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (body) create.mutate(body)
      }}
    >
      <TextArea
        label={words('run.again.request')}
        rows={16}
        spellCheck={false}
        value={text}
        wrong={body ? undefined : words('run.again.wrong')}
        onChange={({ target }) => {
          setText(target.value)
          setKey(crypto.randomUUID())
        }}
        className="font-mono text-xs leading-5"
      />
      {copy.omitted.length > 0 && (
        <ul className="grid gap-1 rounded-md bg-asks-tint px-3 py-2 text-xs text-asks">
          {copy.omitted.map(({ pointer, reason }) => (
            <li key={pointer}>
              <code className="font-mono">
                <Plain text={pointer} />
              </code>{' '}
              {words(`run.omitted.${reason}`)}
            </li>
          ))}
        </ul>
      )}
      <Problem error={create.error} />
      <div className="flex flex-wrap items-center gap-2">
        {commandsFor(text, location.origin).map(({ name, command }) => (
          <Button
            key={name}
            look="quiet"
            icon="copy"
            disabled={!body}
            onClick={() => void navigator.clipboard.writeText(command)}
          >
            {words('run.copy.as', { name })}
          </Button>
        ))}
        <Button
          type="submit"
          look="primary"
          busy={create.isPending}
          disabled={!body}
          className="ml-auto"
        >
          {words('run.again')}
        </Button>
      </div>
    </form>
  )
}
