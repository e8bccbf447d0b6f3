/** Dialog that creates a memory file; a file that exists is never replaced. */

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input, TextArea } from '../kit/field.tsx'
import { Problem } from '../kit/notice.tsx'
import { Inline } from '../text/text.tsx'
import { contentOf } from './state.ts'
import { reloadMemory } from './use-file.ts'

interface Props {
  readonly onCreated: (path: string) => void
  readonly onClose: () => void
}

export function NewFile({ onCreated, onClose }: Props) {
  const words = useWords()
  const [path, setPath] = useState('shared/')
  const [content, setContent] = useState('')
  const create = useMutation({
    mutationFn: () =>
      api.memory.put(path.trim(), { content: contentOf(content) }, { ifNoneMatch: '*' }),
    onSuccess: (file) => {
      void reloadMemory()
      onCreated(file.path)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }
  return (
    <Dialog title={words('memory.new')} open onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={words('memory.new.path')}
          hint={<Inline text={words('memory.new.path.hint')} />}
          required
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          value={path}
          onChange={({ target }) => setPath(target.value)}
        />
        <TextArea
          label={words('memory.new.content')}
          required
          rows={8}
          className="font-mono"
          value={content}
          onChange={({ target }) => setContent(target.value)}
        />
        <Problem error={create.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" busy={create.isPending}>
            {words('memory.new.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
