/** The policy as JSON: what the API takes, whole, under the version that was read. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, ProblemError } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Code } from '../../ui/text.tsx'

const KEY = ['policy'] as const
const NOTHING = { text: '', etag: '' }

export default function PolicyTab() {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('policy:write')
  const found = useQuery({ queryKey: KEY, queryFn: () => api.policy.read() })
  /** The text as typed, and the version that it began from. */
  const typed = useFormDraft('policy', NOTHING)
  const draft = typed.value.etag === '' ? undefined : typed.value
  const { set: setDraft } = typed
  const kept = JSON.stringify(found.data?.policy, null, 2)
  const text = draft?.text ?? kept ?? ''
  const parsed = parse(text)
  const saving = useMutation({
    mutationFn: () => api.policy.put(parsed as never, { ifMatch: draft?.etag ?? '' }),
    onSuccess: () => {
      typed.forget()
      return cache.invalidateQueries({ queryKey: KEY })
    },
  })
  const isOld = saving.error instanceof ProblemError && saving.error.status === 412
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const etag = found.data.etag ?? ''
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{words('policy.hint')}</p>
      <Restored of={typed} />
      <TextArea
        label={words('settings.policy')}
        wrong={parsed === undefined ? words('policy.json') : undefined}
        readOnly={!may}
        rows={24}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        onChange={({ target }) => setDraft({ text: target.value, etag: draft?.etag ?? etag })}
      />
      <Problem error={saving.error} />
      {isOld && draft && (
        <div className="grid gap-2">
          <p className="text-sm">{words('policy.changed')}</p>
          <Code value={kept} label={words('policy.theirs')} />
          <div className="flex gap-2">
            <Button
              onClick={() =>
                void found.refetch().then(({ data }) => setDraft({ text, etag: data?.etag ?? '' }))
              }
            >
              {words('policy.mine')}
            </Button>
            <Button onClick={() => typed.forget()}>{words('policy.take')}</Button>
          </div>
        </div>
      )}
      {may && (
        <div className="flex gap-2">
          <Button
            look="primary"
            busy={saving.isPending}
            disabled={!draft || parsed === undefined}
            onClick={() => saving.mutate()}
          >
            {words('save')}
          </Button>
          {draft && (
            <Button look="quiet" onClick={() => typed.forget()}>
              {words('cancel')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
