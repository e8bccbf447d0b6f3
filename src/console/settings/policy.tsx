/** The tenant's policy: a form, the difference before it is saved, and a newer version if any. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ProblemError, queries } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { Newer } from './newer.tsx'
import { usePolicyDraft } from './policy-draft.ts'
import { PolicyForm } from './policy-form.tsx'
import {
  type Draft,
  draftOf,
  hasChanges,
  type Members,
  type Policy,
  policyOf,
  textOf,
} from './policy-state.ts'

const KEY = ['policy'] as const

export default function PolicyTab() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => api.policy.getVersion(),
  })
  const retry = () => void refetch()
  if (!data) return error ? <Problem error={error} onRetry={retry} /> : <Loading />
  return (
    <>
      <PollProblem error={error} hasData onRetry={retry} />
      <Editor policy={data.policy} etag={data.etag} />
    </>
  )
}

interface EditorProps {
  readonly policy: Policy
  readonly etag: string
}

function Editor({ policy, etag }: EditorProps) {
  const words = useWords()
  const mayWrite = useMay('policy:write')
  const [entered, setDraft] = usePolicyDraft()
  // Fields without changes follow the stored policy.
  const draft = entered && (entered.etag === etag || hasChanges(entered)) ? entered : undefined
  const [isReviewing, setReviewing] = useState(false)
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const current = draft ?? draftOf(policy, etag)
  const edited = policyOf(current)
  const isNewer = draft !== undefined && draft.etag !== etag
  const save = useMutation({
    mutationFn: (body: Members) =>
      api.policy.put(body as unknown as Policy, { ifMatch: current.etag }),
    onSuccess: async () => {
      setReviewing(false)
      setConflicts([])
      await queries.invalidateQueries({ queryKey: KEY })
      setDraft(undefined)
    },
    onError: (error) => {
      if (!isChanged(error)) return
      setReviewing(false)
      void queries.invalidateQueries({ queryKey: KEY })
    },
  })
  const change = (next: Draft): void => {
    save.reset()
    setDraft(next)
  }
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 pb-16">
      <p className="text-sm text-text-2">{words('settings.policy.hint')}</p>
      {!mayWrite && <Forbidden scope="policy:write" />}
      {isNewer && (
        <Newer
          {...{ policy, etag, draft, edited }}
          onRebase={(rebasedDraft, members) => {
            setConflicts(members)
            change(rebasedDraft)
          }}
          onDiscard={() => {
            setConflicts([])
            setDraft(undefined)
          }}
        />
      )}
      {conflicts.length > 0 && (
        <p role="status" className="text-sm text-late">
          {words('settings.policy.conflicts', { members: conflicts.join(', ') })}
        </p>
      )}
      <PolicyForm draft={current} edited={edited} isReadOnly={!mayWrite} onChange={change} />
      {mayWrite && hasChanges(current) && (
        <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-canvas py-3">
          <Button
            look="primary"
            disabled={typeof edited === 'string' || isNewer}
            onClick={() => setReviewing(true)}
          >
            {words('settings.policy.review')}
          </Button>
          <Button onClick={() => setDraft(undefined)}>{words('settings.policy.discard')}</Button>
          <span className="text-xs text-text-2">{words('settings.policy.kept')}</span>
        </div>
      )}
      <Dialog
        title={words('settings.policy.review')}
        open={isReviewing && typeof edited !== 'string'}
        wide
        onClose={() => setReviewing(false)}
      >
        {typeof edited !== 'string' && (
          <div className="grid gap-4">
            <TextDiff
              left={textOf(current.base)}
              right={textOf(edited)}
              label={words('settings.policy.difference')}
            />
            <Problem error={isChanged(save.error) ? null : save.error} />
            <div className="flex justify-end gap-2">
              <Button onClick={() => setReviewing(false)}>{words('cancel')}</Button>
              <Button look="primary" busy={save.isPending} onClick={() => save.mutate(edited)}>
                {words('save')}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </div>
  )
}

/** Whether the policy has changed since it was read. */
const isChanged = (error: unknown): boolean => error instanceof ProblemError && error.status === 412
