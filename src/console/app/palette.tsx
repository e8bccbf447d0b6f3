/** The command palette: every page, whatever can be done anywhere, and runs by their names. */

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { INPUT } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import { useModal } from '../ui/modal.ts'
import { type Command, useCommands } from './commands.ts'
import { useJumps } from './jump.ts'
import { want } from './wish.ts'
import { useWords } from './words.ts'

interface Props {
  readonly onClose: () => void
}

export const Palette = ({ open, onClose }: Props & { readonly open: boolean }) =>
  open ? <OpenPalette onClose={onClose} /> : null

function OpenPalette({ onClose }: Props) {
  const words = useWords()
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosen, choose] = useState<string>()
  const jumps = useJumps(text)
  const all = useCommands().filter(({ name }) => placeIn(name, text) >= 0)
  // Those that begin so stand before those that have it somewhere.
  const commands = all.toSorted((one, other) => late(one, text) - late(other, text))
  const found = [...commands, ...jumps.commands]
  // By its key: what is found later does not move the choice to another one.
  const at = Math.max(
    0,
    found.findIndex(({ key }) => key === chosen),
  )
  useModal(ref)
  const take = (command: Command | undefined): void => {
    if (!command) return
    onClose()
    want(undefined)
    command.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    const { key } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0
    const isAgain = (event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k'
    if (event.nativeEvent.isComposing) return
    if (isAgain) onClose()
    else if (key === 'Enter') take(found[at])
    else if (step !== 0) choose(found[(at + step + found.length) % Math.max(1, found.length)]?.key)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same.
    <dialog
      ref={ref}
      aria-label={words('palette.open')}
      onClick={({ target }) => {
        if (target === ref.current) onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ target }) => {
        if (target === ref.current) onClose()
      }}
      className="mx-auto mt-[12vh] w-[calc(100vw-2rem)] max-w-xl overflow-hidden rounded-2xl border border-line bg-surface p-0 text-text shadow-float"
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
        aria-label={words('palette.placeholder')}
        placeholder={words('palette.placeholder')}
        spellCheck={false}
        className={`${INPUT} w-full min-h-12 rounded-none border-0 border-b border-line`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          choose(undefined)
        }}
        onKeyDown={onKey}
      />
      <div
        role="listbox"
        id={id}
        aria-label={words('palette.open')}
        className="max-h-80 overflow-y-auto p-2"
      >
        {found.map((command, index) => (
          <Row
            key={command.key}
            id={`${id}-${index}`}
            {...{ command, isChosen: index === at, onTake: () => take(command) }}
          />
        ))}
      </div>
      <p role="status" className="empty:hidden p-4 text-sm text-muted">
        {jumps.isPending ? words('loading') : found.length === 0 && words('palette.empty')}
      </p>
    </dialog>
  )
}

const placeIn = (name: string, text: string): number =>
  name.toLowerCase().indexOf(text.trim().toLowerCase())

const late = ({ name }: Command, text: string): number => (placeIn(name, text) === 0 ? 0 : 1)

interface RowProps {
  readonly id: string
  readonly command: Command
  readonly isChosen: boolean
  readonly onTake: () => void
}

function Row({ id, command: { name, icon, hint }, isChosen, onTake }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field.
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
    <div
      id={id}
      ref={isChosen ? intoView : undefined}
      role="option"
      aria-selected={isChosen}
      onClick={onTake}
      className={`flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 text-sm ${isChosen ? 'bg-accent-soft text-accent' : ''}`}
    >
      <Icon name={icon} />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {hint && <kbd className="font-mono text-xs text-muted">{hint}</kbd>}
    </div>
  )
}

const intoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' })
