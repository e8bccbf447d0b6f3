/** Row of the list of deliveries, and the status of a delivery. */

import { useWords } from '../i18n/words.ts'
import { type State, Status } from '../kit/status.tsx'
import { Ago, Plain } from '../text/text.tsx'
import type { DeliveryStatus } from './search.ts'
import type { Delivery } from './use-deliveries.ts'

const STATES = {
  ...({ pending: 'waiting', delivered: 'completed', failed: 'failed' } as const),
  ...({ disabled: 'timed_out', dropped: 'cancelled' } as const),
} as const satisfies Record<DeliveryStatus, State>

export function DeliveryState({ status }: { readonly status: DeliveryStatus }) {
  const words = useWords()
  // A status that this console does not know is shown by its name.
  if (!(status in STATES)) return <Status state={status} />
  return <Status state={STATES[status]} text={words(`webhooks.status.${status}`)} />
}

interface Props {
  readonly delivery: Delivery
  readonly isSelected: boolean
  readonly isMarked: boolean
  readonly onSelect: () => void
  /** Marks the row; undefined if the list has no marks. */
  readonly onMark: ((isRange: boolean) => void) | undefined
}

export function DeliveryRow({ delivery, isSelected, isMarked, onSelect, onMark }: Props) {
  const words = useWords()
  const { id, status, event_type, url, attempts, last_status, next_at, created_at } = delivery
  return (
    <li
      id={`row-${id}`}
      className={`flex border-b border-line ${isSelected ? 'bg-selected' : 'hover:bg-subtle'}`}
    >
      {onMark ? (
        <label className="flex w-9 shrink-0 items-center justify-center pointer-coarse:w-11">
          <input
            type="checkbox"
            checked={isMarked}
            aria-label={words('webhooks.mark', { event: event_type, url })}
            onChange={({ nativeEvent }) =>
              onMark(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
            className="size-4 accent-(--accent)"
          />
        </label>
      ) : (
        <span className="w-4 shrink-0" />
      )}
      <button
        type="button"
        aria-current={isSelected}
        onClick={onSelect}
        className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 py-2 pr-4 text-left outline-offset-[-2px]"
      >
        <span className="flex items-center gap-2 text-sm">
          <span className="flex w-20 shrink-0 items-center">
            <DeliveryState status={status} />
          </span>
          <span className="min-w-0 flex-1 truncate font-mono">
            <Plain text={event_type} />
          </span>
          <span className="text-xs text-text-2">
            {last_status ?? (attempts > 0 ? words('webhooks.no.answer') : '')}
          </span>
        </span>
        <span className="flex gap-2 text-xs text-text-2">
          <span className="min-w-0 flex-1 truncate">
            <Plain text={url} />
          </span>
          <span className="whitespace-nowrap">
            {words('webhooks.attempts', { n: attempts })}
            {' · '}
            {status === 'pending' && next_at !== null && attempts > 0 ? (
              <>
                {words('webhooks.next')} <Ago at={next_at} />
              </>
            ) : (
              <Ago at={created_at} />
            )}
          </span>
        </span>
      </button>
    </li>
  )
}
