/** Actions on an open memory file: save, discard, append, versions, and delete. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../webhooks/confirm.tsx'
import { Append } from './append.tsx'
import { writeDraft } from './drafts.ts'
import { hasConflict } from './state.ts'
import { reloadMemory, type useEditing } from './use-file.ts'

export interface FileProps {
  readonly path: string
  /** Line at which the editor opens, from 1. */
  readonly line: number | undefined
  /** ID of the open version, or `all` for their list; absent for the editor. */
  readonly version: string | undefined
  readonly onVersion: (version: string | undefined) => void
  readonly onDeleted: () => void
}

type Props = FileProps & {
  readonly isMissing: boolean
  readonly state: ReturnType<typeof useEditing>
}

export function FileActions({ path, version, onVersion, onDeleted, isMissing, state }: Props) {
  const words = useWords()
  const mayWrite = useMay('memory:write')
  const [dialog, setDialog] = useState<'append' | 'delete'>()
  const [appended, setAppended] = useState('')
  const close = () => setDialog(undefined)
  const { editing, save, onSave, onDiscard } = state
  const remove = useMutation({
    mutationFn: () => api.memory.delete(path, { ifMatch: `"${editing.base.etag}"` }),
    onSuccess: () => {
      writeDraft(path, undefined)
      onDeleted()
    },
    onSettled: reloadMemory,
  })
  const hasDraft = editing.draft !== undefined
  const mustDecide = hasConflict(editing) || isMissing
  const isVersions = version !== undefined
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {mayWrite && !mustDecide && (
          <Button
            look="primary"
            title="Ctrl-S"
            disabled={!hasDraft}
            busy={save.isPending}
            onClick={onSave}
          >
            {words('save')}
          </Button>
        )}
        {hasDraft && !mustDecide && <Button onClick={onDiscard}>{words('memory.discard')}</Button>}
        {mayWrite && !isMissing && (
          <Button icon="plus" disabled={hasDraft} onClick={() => setDialog('append')}>
            {words('memory.append')}
          </Button>
        )}
        <Button
          icon="list"
          aria-pressed={isVersions}
          onClick={() => onVersion(isVersions ? undefined : 'all')}
        >
          {words('memory.versions')}
        </Button>
        {mayWrite && !isMissing && (
          <Button icon="trash" look="danger" onClick={() => setDialog('delete')}>
            {words('delete')}
          </Button>
        )}
      </div>
      {appended !== '' && (
        <p role="status" className="text-sm text-done">
          {appended}
        </p>
      )}
      {dialog === 'append' && (
        <Append
          path={path}
          onAppended={({ added, duplicates }) => {
            close()
            setAppended(words('memory.append.done', { n: added, skipped: duplicates }))
            void reloadMemory()
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={words('memory.delete')}
          question={words('memory.delete.sure', { path })}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </div>
  )
}
