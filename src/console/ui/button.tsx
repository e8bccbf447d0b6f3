/** Buttons: for what matters most, for the rest, and for what cannot be undone. */

import type { ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-accent-text hover:opacity-90 border-transparent',
  plain: 'bg-surface hover:bg-raised border-line',
  quiet: 'border-transparent hover:bg-raised text-muted hover:text-text',
  danger: 'bg-surface text-bad hover:bg-bad-soft border-line',
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  readonly icon?: IconName
  readonly busy?: boolean
}

export function Button({ look = 'plain', icon, busy, children, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
      className={`inline-flex min-h-8 items-center justify-center gap-1.5 rounded-lg border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:opacity-50 ${LOOKS[look]} ${className}`}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

interface IconProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName
  /** Said to those who do not see the icon, and shown when one points at it. */
  readonly label: string
  readonly size?: number
}

export function IconButton({ icon, label, size = 18, className = '', ...rest }: IconProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-raised hover:text-text disabled:opacity-40 ${className}`}
    >
      <Icon name={icon} size={size} />
    </button>
  )
}
