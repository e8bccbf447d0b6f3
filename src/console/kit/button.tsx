/** Buttons with a text, and buttons with an icon only. */

import type { ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const STYLES: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent hover:opacity-90 border-transparent',
  plain: 'bg-raised hover:bg-sunken border-line',
  quiet: 'border-transparent hover:bg-sunken text-text-2 hover:text-text',
  danger: 'bg-raised text-failed hover:bg-failed-tint border-line',
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  readonly icon?: IconName
  readonly busy?: boolean
}

export function Button({
  look = 'plain',
  icon,
  busy,
  children,
  className = '',
  ...attributes
}: Props) {
  return (
    <button
      type="button"
      {...attributes}
      aria-busy={busy || undefined}
      disabled={attributes.disabled || busy}
      className={`inline-flex min-h-7 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap disabled:opacity-50 pointer-coarse:min-h-11 ${STYLES[look]} ${className}`}
    >
      {icon && <Icon name={icon} size={14} />}
      {children}
    </button>
  )
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName
  /** Accessible name of the button, also used as its tooltip. */
  readonly label: string
  readonly size?: number
}

export function IconButton({ icon, label, size = 16, className = '', ...attributes }: IconProps) {
  return (
    <button
      type="button"
      {...attributes}
      aria-label={label}
      title={label}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-md text-text-2 hover:bg-sunken hover:text-text disabled:opacity-40 pointer-coarse:size-11 ${className}`}
    >
      <Icon name={icon} size={size} />
    </button>
  )
}
