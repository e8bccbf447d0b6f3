/** A new file begins as a draft under its path; saving creates it, and never over another. */

import './buffer.ts'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { keyPath } from '../../../lib/key.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { draftOf, keepDraft } from './drafts.ts'
import { beginningOf } from './paths.ts'

const SUGGESTED = [
  ...['base/.agents/config.toml', 'base/.agents/agents/my-agent.md'],
  ...['base/.agents/skills/my-skill/SKILL.md', 'base/AGENTS.md'],
]

interface Props {
  readonly open: boolean
  readonly known: ReadonlySet<string>
  readonly onClose: () => void
}

export function NewFile({ open, known, onClose }: Props) {
  const words = useWords()
  return (
    <Dialog title={words('layers.new')} open={open} onClose={onClose}>
      <PathForm known={known} onDone={onClose} />
    </Dialog>
  )
}

function PathForm({ known, onDone }: { readonly known: Props['known']; onDone(): void }) {
  const words = useWords()
  const navigate = useNavigate()
  const [path, setPath] = useState('')
  const outcome = keyPath(path)
  const fault = path === '' || outcome.ok ? undefined : outcome.error
  const wrong = known.has(path) ? words('layers.there') : fault
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (path === '' || wrong) return
    if (!draftOf(path)) keepDraft(path, { text: beginningOf(path), base: '', etag: null })
    onDone()
    void navigate({ to: '/layers/$', params: { _splat: path } })
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Input
        label={words('layers.path')}
        hint={words('layers.path.hint')}
        wrong={wrong}
        autoFocus
        required
        spellCheck={false}
        list="new-paths"
        placeholder="base/.agents/skills/my-skill/SKILL.md"
        value={path}
        onChange={({ target }) => setPath(target.value)}
      />
      <datalist id="new-paths">
        {SUGGESTED.filter((one) => !known.has(one)).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Button look="primary" type="submit" disabled={path === '' || wrong !== undefined}>
        {words('create')}
      </Button>
    </form>
  )
}
