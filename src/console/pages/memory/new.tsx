/** A new file of memory: of all agents, or of one. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Input, TextArea } from '../../ui/field.tsx'
import { Restored, useFormDraft } from '../../ui/form-draft.tsx'
import { Problem } from '../../ui/notice.tsx'
import { MEMORY } from './names.ts'

export function NewMemory({ onDone }: { readonly onDone: (path: string) => void }) {
  const words = useWords()
  const cache = useQueryClient()
  const draft = useFormDraft('memory', { path: 'shared/', text: '' })
  const { path, text } = draft.value
  const making = useMutation({
    // One that is there is changed where it is read, never replaced unseen.
    mutationFn: () => api.memory.put(path.trim(), { content: text }, { ifNoneMatch: '*' }),
    onSuccess: async (made) => {
      draft.forget()
      await cache.invalidateQueries({ queryKey: MEMORY })
      onDone(made.path)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    making.mutate()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Restored of={draft} />
      <Input
        label={words('memory.path')}
        hint={words('memory.path.hint')}
        required
        spellCheck={false}
        className="font-mono text-xs"
        value={path}
        onChange={({ target }) => draft.set({ path: target.value })}
      />
      <TextArea
        label={words('memory.text')}
        required
        rows={10}
        className="font-mono text-xs"
        value={text}
        onChange={({ target }) => draft.set({ text: target.value })}
      />
      <Problem error={making.error} />
      <Button look="primary" type="submit" busy={making.isPending}>
        {words('create')}
      </Button>
    </form>
  )
}
