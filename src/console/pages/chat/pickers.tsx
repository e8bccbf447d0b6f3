/** Agent, role, repository and model of the next turn, with what the choice resolves to. */

import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import type { Choice } from '../../chat/draft.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Resolution } from './resolution.tsx'
import { useModels, usePrefixes, useResolved } from './resolve.ts'

interface Props {
  readonly choice: Choice
  readonly onChoice: (choice: Choice) => void
}

export function Pickers({ choice, onChoice }: Props) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const { agent = 'general', role, repo_dir, model } = choice
  const shown = [agent, role, repo_dir, model].filter(Boolean).join(' · ')
  return (
    <>
      <button
        type="button"
        title={words('chat.choice')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="inline-flex min-h-8 min-w-0 items-center gap-1.5 rounded-lg px-2 text-xs text-muted hover:bg-raised hover:text-text"
      >
        <Icon name="agent" size={16} />
        <span className="truncate">{shown}</span>
        <Icon name="down" size={14} />
      </button>
      <Dialog title={words('chat.choice')} open={open} onClose={() => setOpen(false)}>
        <Choices choice={choice} onChoice={onChoice} />
      </Dialog>
    </>
  )
}

function Choices({ choice, onChoice }: Props) {
  const words = useWords()
  const resolved = useResolved(choice)
  const models = useModels()
  const roles = usePrefixes('roles/')
  const repos = usePrefixes('repos/')
  const set = (change: { readonly [K in keyof Choice]?: string }): void => {
    const next = Object.entries({ ...choice, ...change }).filter(([, value]) => value)
    onChoice(Object.fromEntries(next))
  }
  const agents = (resolved.data?.agents ?? []).filter((one) => one.visibility !== 'internal')
  const { agent = '' } = choice
  const known = agents.some(({ id }) => id === agent) || agent === ''
  const options = [
    ['', words('chat.choice.default')] as const,
    ...(known ? [] : [[agent, agent] as const]),
    ...agents.map(({ id }) => [id, id] as const),
  ]
  return (
    <div className="grid gap-4">
      <Select
        label={words('chat.agent')}
        options={options}
        value={agent}
        onChange={({ target }) => set({ agent: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Listed
          {...{
            label: words('chat.role'),
            options: roles.map((one) => one.slice('roles/'.length)),
          }}
          value={choice.role}
          onValue={(role) => set({ role })}
        />
        <Listed
          {...{ label: words('chat.repo'), options: repos, value: choice.repo_dir }}
          onValue={(repo_dir) => set({ repo_dir })}
        />
      </div>
      <Listed
        {...{ label: words('chat.model'), value: choice.model, options: models.names }}
        onValue={(model) => set({ model })}
      />
      <Problem error={resolved.error} />
      {resolved.data && (
        <Resolution resolved={resolved.data} choice={choice} models={models.data} />
      )}
    </div>
  )
}

/** One of a list, or anything else that is typed; it counts when one leaves the field. */
function Listed({
  label,
  options,
  value = '',
  onValue,
}: {
  readonly label: string
  readonly options: readonly string[]
  readonly value: string | undefined
  readonly onValue: (value: string) => void
}) {
  const words = useWords()
  const [text, setText] = useState(value)
  const id = `list-${label}`
  return (
    <div>
      <Input
        label={label}
        list={id}
        autoComplete="off"
        spellCheck={false}
        placeholder={words('chat.choice.default')}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          // A choice from the list comes whole; typing goes on.
          if (target.value === '' || options.includes(target.value)) onValue(target.value)
        }}
        onBlur={() => onValue(text.trim())}
        onKeyDown={({ key }) => key === 'Enter' && onValue(text.trim())}
      />
      <datalist id={id}>
        {options.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  )
}
