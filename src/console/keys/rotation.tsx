/** Dialog that replaces a key by a new one; the previous key stays valid for a limited time. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Select } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { useIsOwn } from './key-status.tsx'
import { type Key, OVERLAPS } from './state.ts'

interface Props {
  readonly apiKey: Key
  readonly onRotated: (key: Schemas['ApiKeyWithText']) => void
  readonly onClose: () => void
}

export function Rotation({ apiKey, onRotated, onClose }: Props) {
  const words = useWords()
  const { id, name } = apiKey
  const isOwn = useIsOwn(id)
  const [overlap, setOverlap] = useState<string>('86400')
  const rotate = useMutation({
    mutationFn: () => api.keys.rotate(id, { overlap_seconds: Number(overlap) }),
    onSuccess: onRotated,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!rotate.isPending) rotate.mutate()
  }
  return (
    <Dialog title={words('keys.rotate')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-sm [overflow-wrap:anywhere]">
          {words('keys.rotate.hint', { name: name ?? id })}
        </p>
        {isOwn && <p className="text-sm text-late">{words('keys.rotate.own')}</p>}
        <Select
          label={words('keys.overlap')}
          value={overlap}
          options={OVERLAPS.map((seconds) => [seconds, words(`keys.overlap.${seconds}`)])}
          onChange={({ target }) => setOverlap(target.value)}
        />
        <Problem error={rotate.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={rotate.isPending}>
            {words('keys.rotate')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
