/**
 * Menu that opens at a button. It uses the browser's popover, which Escape and outside clicks
 * close. Arrow keys move between entries.
 */

import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'

const GAP_PX = 4

interface Props {
  readonly icon?: IconName
  readonly label: string
  /** Text of the button, shown instead of an icon. */
  readonly text?: string
  readonly children: ReactNode
}

export function Menu({ icon = 'dots', label, text, children }: Props) {
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  /** Positions the menu below its button if there is space, otherwise above. */
  const place = (): void => {
    const at = button.current?.getBoundingClientRect()
    if (!at || !menu.current) return
    const { offsetHeight: height, offsetWidth: width, style } = menu.current
    const below = at.bottom + GAP_PX
    const top = below + height > innerHeight ? at.top - height - GAP_PX : below
    style.top = `${Math.max(GAP_PX, top)}px`
    style.left = `${Math.max(GAP_PX, Math.min(at.left, innerWidth - width - GAP_PX))}px`
    menu.current.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all.at((at + step) % all.length)?.focus()
  }
  return (
    <>
      <span ref={button} className="inline-flex">
        {text === undefined ? (
          <IconButton icon={icon} label={label} popoverTarget={id} aria-haspopup="menu" />
        ) : (
          <Button title={label} popoverTarget={id} aria-haspopup="menu">
            <span className="max-w-40 truncate">{text}</span>
            <Icon name="down" size={12} />
          </Button>
        )}
      </span>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onToggle={({ newState }) => newState === 'open' && place()}
        onClick={() => menu.current?.hidePopover()}
        onKeyDown={onKey}
        className="fixed m-0 max-w-80 min-w-44 rounded-lg border border-line bg-raised p-1 text-text shadow-float"
      >
        {children}
      </div>
    </>
  )
}

const ENTRY =
  'flex w-full min-h-7 items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-sunken ' +
  'focus:bg-sunken pointer-coarse:min-h-11'

/**
 * Menu entry. `checked` marks an option of a choice; if undefined, the entry performs an action.
 * With `isMultiple`, several options can be checked, and the menu stays open.
 */
export function MenuItem({
  children,
  checked,
  isMultiple = false,
  hint,
  onChoose,
}: {
  readonly children: ReactNode
  readonly checked?: boolean
  readonly isMultiple?: boolean
  /** Sentence that describes what the menu entry does. */
  readonly hint?: string
  readonly onChoose: () => void
}) {
  return (
    <button
      type="button"
      {...(checked === undefined
        ? { role: 'menuitem' }
        : { role: isMultiple ? 'menuitemcheckbox' : 'menuitemradio', 'aria-checked': checked })}
      onClick={(event) => {
        if (isMultiple) event.stopPropagation()
        onChoose()
      }}
      className={ENTRY}
    >
      {checked !== undefined && (
        <span aria-hidden="true" className="w-3 text-accent">
          {checked ? '✓' : ''}
        </span>
      )}
      <Entry hint={hint}>{children}</Entry>
    </button>
  )
}

function Entry({
  hint,
  children,
}: {
  readonly hint: string | undefined
  readonly children: ReactNode
}) {
  return (
    <span className={`grid min-w-0 ${hint ? 'py-1' : ''}`}>
      <span>{children}</span>
      {hint && <span className="text-xs text-text-3">{hint}</span>}
    </span>
  )
}

export function MenuLink({
  href,
  download,
  hint,
  children,
}: {
  readonly href: string
  /** Name of the downloaded file, if the link is a download. */
  readonly download?: string
  readonly hint?: string
  readonly children: ReactNode
}) {
  return (
    <a href={href} download={download} role="menuitem" className={ENTRY}>
      <Entry hint={hint}>{children}</Entry>
    </a>
  )
}

export function MenuTitle({ children }: { readonly children: ReactNode }) {
  return <p className="px-2 pt-2 pb-1 text-xs text-text-3">{children}</p>
}
