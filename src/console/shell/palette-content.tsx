/** Content of the palette: a search field and the matching commands. */

import { type KeyboardEvent, useId, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { INPUT } from '../kit/field.tsx'
import { Icon } from '../kit/icons.tsx'
import { Problem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import { type Command, matching, useCommands, useJumps } from './commands.ts'
import { useSettled } from './settled-text.ts'

export function PaletteContent({ onClose }: { readonly onClose: () => void }) {
  const words = useWords()
  const id = useId()
  const [text, setText] = useState('')
  const [selected, choose] = useState<string>()
  const jumps = useJumps(useSettled(text.trim()))
  const commands = [...matching(useCommands(), text), ...jumps.commands]
  // The selection is stored by key, so that conversations loaded later do not change it.
  const at = Math.max(
    0,
    commands.findIndex(({ key }) => key === selected),
  )
  const take = (command: Command | undefined): void => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') take(commands[at])
    else if (step !== 0) choose(commands.at((at + step) % Math.max(1, commands.length))?.key)
    else return
    event.preventDefault()
  }
  return (
    <div className="grid gap-2">
      <input
        // The dialog may have opened before this chunk was loaded.
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands[at] ? `${id}-${at}` : undefined}
        aria-label={words('palette.placeholder')}
        placeholder={words('palette.placeholder')}
        spellCheck={false}
        className={`${INPUT} w-full`}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          choose(undefined)
        }}
        onKeyDown={onKey}
      />
      <Problem error={jumps.error} />
      <div
        role="listbox"
        id={id}
        aria-label={words('palette.title')}
        className="max-h-80 overflow-y-auto"
      >
        {commands.map((command, index) => (
          <Row
            key={command.key}
            id={`${id}-${index}`}
            command={command}
            isChosen={index === at}
            onTake={() => take(command)}
          />
        ))}
      </div>
      <p role="status" className="text-sm text-text-3 empty:hidden">
        {jumps.isLoading ? words('loading') : commands.length === 0 && words('palette.empty')}
      </p>
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly command: Command
  readonly isChosen: boolean
  readonly onTake: () => void
}

function Row({ id, command: { name, icon }, isChosen, onTake }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
    <div
      id={id}
      ref={isChosen ? intoView : undefined}
      role="option"
      aria-selected={isChosen}
      onClick={onTake}
      className={`flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm pointer-coarse:min-h-11 ${isChosen ? 'bg-selected' : 'hover:bg-sunken'}`}
    >
      <Icon name={icon} size={14} />
      <span className="min-w-0 flex-1 truncate">
        <Plain text={name} />
      </span>
    </div>
  )
}

const intoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' })
