/** Dialog that appends entries to a memory file. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'

interface Props {
  readonly path: string
  readonly onAppended: (change: Schemas['MemoryWritten']) => void
  readonly onClose: () => void
}

export function Append({ path, onAppended, onClose }: Props) {
  const words = useWords()
  const [heading, setHeading] = useState('')
  const [content, setContent] = useState('')
  const append = useMutation({
    mutationFn: () => api.memory.append(path, { content, heading: heading.trim() || null }),
    onSuccess: onAppended,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!append.isPending) append.mutate()
  }
  return (
    <Dialog title={words('memory.append.title')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('memory.append.heading')}
          hint={words('memory.append.heading.hint')}
          maxLength={200}
          value={heading}
          onChange={({ target }) => setHeading(target.value)}
        />
        <TextArea
          label={words('memory.append.content')}
          hint={words('memory.append.content.hint')}
          required
          rows={5}
          value={content}
          onChange={({ target }) => setContent(target.value)}
        />
        <Problem error={append.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={append.isPending}>
            {words('memory.append')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
