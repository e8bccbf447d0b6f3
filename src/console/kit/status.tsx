/** States of runs and calls, always shown with an icon, a word, and a color. */

import { useWords } from '../i18n/words.ts'

/** Display of each state: the name of its color token, and its shape on a grid of 16 units. */
const STATES = {
  queued: ['text-queued', <circle key="a" cx="8" cy="8" r="5.5" strokeDasharray="2 2.3" />],
  running: [
    'text-running',
    <circle key="a" cx="8" cy="8" r="5.5" />,
    <path key="b" d="M8 2.500a5.5 5.5 0 0 1 0 11z" fill="currentColor" stroke="none" />,
  ],
  waiting: [
    'text-waiting',
    <circle key="a" cx="8" cy="8" r="5.5" />,
    <path key="b" d="M8 5v3l2 1.5" />,
  ],
  asks: ['text-asks', <path key="a" d="M8 2l6 6-6 6-6-6z" fill="currentColor" />],
  completed: ['text-done', <path key="a" d="M3 8.500l3.5 3.500L13 4.5" />],
  failed: ['text-failed', <path key="a" d="M4 4l8 8M12 4l-8 8" />],
  cancelled: [
    'text-queued',
    <circle key="a" cx="8" cy="8" r="5.5" />,
    <path key="b" d="M4.2 11.800l7.6-7.6" />,
  ],
  timed_out: [
    'text-late',
    <circle key="a" cx="8" cy="8" r="5.5" />,
    <path key="b" d="M8 8V2.500A5.5 5.5 0 0 1 13.5 8z" fill="currentColor" stroke="none" />,
  ],
  unknown: [
    'text-unknown',
    <path key="a" d="M3.5 6a2.5 2.5 0 1 1 3 2.400V10M6.5 13h.01M12.5 3.500V10M12.5 13h.01" />,
  ],
} as const

export type State = keyof typeof STATES

const isState = (name: string): name is State => name in STATES

export function StateIcon({ state, size = 14 }: { readonly state: State; readonly size?: number }) {
  const [color, ...shape] = STATES[state]
  const spin = state === 'running' ? 'animate-[spin_2s_linear_infinite]' : ''
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${color} ${spin}`}
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.8"
      viewBox="0 0 16 16"
      width={size}
    >
      {shape}
    </svg>
  )
}

interface StatusProps {
  readonly state: string
  /** Whether to show the icon; false if an icon is already next to the text. */
  readonly hasIcon?: boolean
  /** Text in place of the name of the state. */
  readonly text?: string
}

/**
 * Shows a state with icon and word; a state that this console does not know is shown by its name.
 */
export function Status({ state, hasIcon = true, text }: StatusProps) {
  const words = useWords()
  if (!isState(state)) return <span className="text-xs text-text-2">{state}</span>
  return (
    <span
      className={`inline-flex items-center gap-1 text-xs font-medium whitespace-nowrap ${STATES[state][0]}`}
    >
      {hasIcon && <StateIcon state={state} size={12} />}
      {text ?? words(`status.${state}`)}
    </span>
  )
}
