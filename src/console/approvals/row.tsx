/** Rows of the lists of approvals: an approval with its mark, and a question of a model. */

import type { ReactNode } from 'react'
import { useWords } from '../i18n/words.ts'
import { type State, StateIcon } from '../kit/status.tsx'
import { summaryOf } from '../text/json.ts'
import { Ago, Plain } from '../text/text.tsx'
import { pathOf } from './selection.ts'
import type { Approval, Run } from './use-approvals.ts'

interface RowProps {
  readonly id: string
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly icon: State
  readonly name: string
  readonly isCode?: boolean
  readonly about: string
  /** Time at the right of the first line. */
  readonly end: ReactNode
  /** Time at the right of the second line. */
  readonly age: string
  readonly mark?: ReactNode
}

function Row(props: RowProps) {
  const { id, isSelected, onSelect, icon, name, isCode, about, end, age, mark } = props
  return (
    <li
      id={`row-${id}`}
      className={`flex border-b border-line ${isSelected ? 'bg-selected' : 'hover:bg-subtle'}`}
    >
      {mark ?? <span className="w-9 shrink-0 pointer-coarse:w-11" />}
      <button
        type="button"
        aria-current={isSelected}
        onClick={onSelect}
        className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 py-2 pr-4 text-left outline-offset-[-2px]"
      >
        <span className="flex items-center gap-2 text-sm">
          <StateIcon state={icon} size={12} />
          <span className={`min-w-0 flex-1 truncate ${isCode ? 'font-mono' : 'font-medium'}`}>
            <Plain text={name} />
          </span>
          <span className="text-xs text-text-2">{end}</span>
        </span>
        <span className="flex gap-2 pl-5 text-xs text-text-2">
          <span className="min-w-0 flex-1 truncate">
            <Plain text={about} />
          </span>
          <Ago at={age} />
        </span>
      </button>
    </li>
  )
}

const ICONS = {
  ...({ pending: 'asks', approved: 'completed', denied: 'cancelled' } as const),
  ...({ expired: 'timed_out', closed: 'cancelled' } as const),
} as const satisfies Record<Approval['status'], State>

interface ApprovalRowProps {
  readonly approval: Approval
  readonly isSelected: boolean
  readonly isMarked: boolean
  readonly onSelect: () => void
  /** Marks the row; undefined if the list has no marks. */
  readonly onMark: ((isRange: boolean) => void) | undefined
}

export function ApprovalRow({
  approval,
  isSelected,
  isMarked,
  onSelect,
  onMark,
}: ApprovalRowProps) {
  const words = useWords()
  const { id, status, tool, expires_at, requested_at, decision } = approval
  const path = pathOf(approval.path)
  return (
    <Row
      {...{ id, isSelected, onSelect, name: tool, isCode: true, icon: ICONS[status] }}
      about={`${path} · ${summaryOf(approval.arguments)}`}
      end={
        status === 'pending' ? (
          <>
            {words('approval.expires')} <Ago at={expires_at} />
          </>
        ) : (
          words(`approval.${status}`)
        )
      }
      age={decision?.decided_at ?? requested_at}
      mark={
        onMark && (
          <label className="flex w-9 shrink-0 items-center justify-center pointer-coarse:w-11">
            <input
              type="checkbox"
              checked={isMarked}
              aria-label={words('approvals.mark', { tool, path })}
              onChange={({ nativeEvent }) =>
                onMark(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
              className="size-4 accent-(--accent)"
            />
          </label>
        )
      }
    />
  )
}

interface QuestionRowProps {
  readonly run: Run
  readonly isSelected: boolean
  readonly onSelect: () => void
}

export function QuestionRow({ run, isSelected, onSelect }: QuestionRowProps) {
  const words = useWords()
  const { id, question, label, agent, input } = run
  if (!question) return null
  return (
    <Row
      {...{ id, isSelected, onSelect, icon: 'asks' }}
      name={question.questions.map((part) => part.question).join(' · ')}
      about={`${label ?? agent} · ${input}`}
      end={
        <>
          {words('approval.expires')} <Ago at={question.expires_at} />
        </>
      }
      age={question.asked_at}
    />
  )
}
