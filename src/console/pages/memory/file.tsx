/** One file of memory: read, changed under the version that was read, deleted. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ProblemError, type Schemas } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Code, Prose } from '../../ui/text.tsx'
import { draftName, MEMORY } from './names.ts'
import { MemoryVersions } from './versions.tsx'

type Found = Schemas['MemoryText']

/** With the etag of the text that it began with: a later one would hide a change of others. */
const NOTHING = { text: '', etag: '' }

interface Props {
  readonly path: string
  readonly onGone: () => void
}

export function MemoryFile({ path, onGone }: Props) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('memory:write')
  const name = [...MEMORY, 'file', path]
  const found = useQuery({ queryKey: name, queryFn: () => api.memory.get(path) })
  const typed = useFormDraft(draftName(path), NOTHING)
  const draft = typed.value.etag === '' ? undefined : typed.value
  const latest = useRef(typed.value)
  latest.current = typed.value
  const saving = useMutation({
    mutationFn: ({ text: content, etag }: typeof NOTHING) =>
      api.memory.put(path, { content }, { ifMatch: `"${etag}"` }),
    onSuccess: async ({ etag }, { text }) => {
      // Until it is read anew, an edit begins with what was saved and not with what was before.
      await cache.cancelQueries({ queryKey: name })
      cache.setQueryData<Found>(name, (was) => was && { ...was, text, etag })
      // What was typed while it was on its way is not saved yet.
      if (latest.current.text === text) typed.forget()
      else typed.set({ etag })
      void cache.invalidateQueries({ queryKey: MEMORY })
    },
  })
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const { text, etag, more, lines } = found.data
  const isOld = saving.error instanceof ProblemError && saving.error.status === 412
  return (
    <Card
      title={<span className="font-mono text-xs">{path}</span>}
      actions={
        <>
          <MemoryVersions path={path} />
          {may && (
            <>
              {!more && draft === undefined && (
                <Button icon="edit" onClick={() => typed.set({ text, etag })}>
                  {words('memory.edit')}
                </Button>
              )}
              <Confirm
                word={words('delete')}
                question={words('memory.delete.sure', { path })}
                act={() =>
                  api.memory.delete(path).then(() => {
                    typed.forget()
                    onGone()
                  })
                }
                touches={MEMORY}
              />
            </>
          )}
        </>
      }
    >
      {more && (
        <p className="mb-3 text-xs text-muted">
          {words('memory.part', { n: lines.to, total: lines.total })}
        </p>
      )}
      {draft === undefined ? (
        <Prose text={text} />
      ) : (
        <div className="grid gap-3">
          <Restored of={typed} />
          <TextArea
            label={path}
            rows={Math.min(30, draft.text.split('\n').length + 2)}
            className="font-mono text-xs"
            value={draft.text}
            onChange={({ target }) => typed.set({ ...draft, text: target.value })}
          />
          <Problem error={saving.error} />
          {isOld && (
            <div className="grid gap-2">
              <p className="text-sm">{words('memory.changed')}</p>
              <Code value={text} label={words('layers.theirs')} />
              <div className="flex gap-2">
                <Button
                  onClick={() =>
                    void found.refetch().then(({ data }) => {
                      saving.reset()
                      typed.set({ ...draft, etag: data?.etag ?? etag })
                    })
                  }
                >
                  {words('policy.mine')}
                </Button>
              </div>
            </div>
          )}
          <div className="flex gap-2">
            <Button look="primary" busy={saving.isPending} onClick={() => saving.mutate(draft)}>
              {words('save')}
            </Button>
            <Button look="quiet" onClick={typed.forget}>
              {words('cancel')}
            </Button>
          </div>
        </div>
      )}
    </Card>
  )
}
