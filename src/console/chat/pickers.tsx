/**
 * Selectors for agent, role, repository, and model of the next turn, with the resulting
 * configuration.
 */

import { useId, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Input, Select } from '../kit/field.tsx'
import { Icon } from '../kit/icons.tsx'
import { Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import type { Choice } from './choice.ts'
import { Resolution } from './resolution.tsx'
import { useLayerNames, useModels, useResolved } from './resolve.ts'

interface Props {
  readonly choice: Choice
  readonly onChoice: (choice: Choice) => void
}

export function Pickers({ choice, onChoice }: Props) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const { agent = 'general', role, repo_dir, model } = choice
  const summary = [agent, role, repo_dir, model].filter(Boolean).join(' · ')
  return (
    <>
      <button
        type="button"
        title={words('chat.choice')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="inline-flex min-h-7 min-w-0 items-center gap-1 rounded-md px-2 text-xs text-text-2 hover:bg-sunken hover:text-text pointer-coarse:min-h-11"
      >
        <Icon name="agent" size={14} />
        <span className="truncate">
          <Plain text={summary} />
        </span>
        <Icon name="down" size={12} />
      </button>
      <Dialog title={words('chat.choice')} open={isOpen} onClose={() => setOpen(false)}>
        <Choices choice={choice} onChoice={onChoice} />
      </Dialog>
    </>
  )
}

function Choices({ choice, onChoice }: Props) {
  const words = useWords()
  const resolved = useResolved(choice)
  const models = useModels()
  const roles = useLayerNames('roles/')
  const repos = useLayerNames('repos/')
  const set = (change: { readonly [K in keyof Choice]?: string }): void => {
    const next = Object.entries({ ...choice, ...change }).filter(([, value]) => value)
    onChoice(Object.fromEntries(next))
  }
  const agents = (resolved.data?.agents ?? []).filter(
    (candidate) => candidate.visibility !== 'internal',
  )
  const { agent = '' } = choice
  const isKnown = agents.some(({ id }) => id === agent) || agent === ''
  const options = [
    ['', words('chat.choice.default')] as const,
    ...(isKnown ? [] : [[agent, agent] as const]),
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
        <Combo
          label={words('chat.role')}
          options={roles.map((path) => path.slice('roles/'.length))}
          value={choice.role}
          onValue={(role) => set({ role })}
        />
        <Combo
          label={words('chat.repo')}
          options={repos}
          value={choice.repo_dir}
          onValue={(repo_dir) => set({ repo_dir })}
        />
      </div>
      <Combo
        label={words('chat.model')}
        options={models.names}
        value={choice.model}
        onValue={(model) => set({ model })}
      />
      <Problem error={resolved.error} />
      {resolved.data && (
        <Resolution resolved={resolved.data} choice={choice} models={models.data} />
      )}
    </div>
  )
}

interface ComboProps {
  readonly label: string
  readonly options: readonly string[]
  readonly value: string | undefined
  readonly onValue: (value: string) => void
}

/** Text field that suggests names and, on blur, accepts any other name. */
function Combo({ label, options, value = '', onValue }: ComboProps) {
  const words = useWords()
  const [text, setText] = useState(value)
  const id = useId()
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
          if (target.value === '' || options.includes(target.value)) onValue(target.value)
        }}
        onBlur={() => onValue(text.trim())}
        onKeyDown={({ key }) => key === 'Enter' && onValue(text.trim())}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </div>
  )
}
