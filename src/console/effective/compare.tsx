/** Differences between the chosen layers and other layers, or the configuration of a run. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, refetchOffline, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Input } from '../kit/field.tsx'
import { Loading, PollProblem } from '../kit/notice.tsx'
import { Plain } from '../text/text.tsx'
import { Fields } from './choice.tsx'
import {
  type Choice,
  cmpOf,
  comparedWith,
  type EffectiveSearch,
  effectiveSearch,
  inputOf,
  isDigest,
  summaryOf,
  type Tab,
} from './state.ts'
import { RESOLVE } from './use-effective.ts'

type Difference = Schemas['Diff']['differences'][number]

interface ButtonProps {
  readonly cmp: string | undefined
  readonly onCompare: (cmp: string) => void
}

/** Button that opens the choice of the other side. */
export function CompareButton({ cmp, onCompare }: ButtonProps) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {words('effective.compare')}
      </Button>
      <Dialog title={words('effective.compare')} open={isOpen} onClose={() => setOpen(false)}>
        <OtherSide
          cmp={cmp}
          onCompare={(next) => {
            setOpen(false)
            onCompare(next)
          }}
        />
      </Dialog>
    </>
  )
}

function OtherSide({ cmp, onCompare }: ButtonProps) {
  const words = useWords()
  const initial = comparedWith(cmp ?? '')
  const [choice, setChoice] = useState<Choice>('digest' in initial ? {} : initial)
  const [digest, setDigest] = useState('digest' in initial ? initial.digest : '')
  const isWrong = digest.trim() !== '' && !isDigest(digest.trim())
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isWrong) onCompare(digest.trim() === '' ? cmpOf(choice) : digest.trim())
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Fields
        isStacked
        choice={choice}
        onChange={(changes) => setChoice((current) => ({ ...current, ...changes }))}
      />
      <Input
        label={words('effective.compare.digest')}
        hint={words('effective.compare.digest.hint')}
        wrong={isWrong ? words('effective.compare.digest.wrong') : undefined}
        spellCheck={false}
        autoComplete="off"
        value={digest}
        onChange={({ target }) => setDigest(target.value)}
      />
      <div className="flex justify-end">
        <Button type="submit" look="primary" disabled={isWrong}>
          {words('effective.compare.submit')}
        </Button>
      </div>
    </form>
  )
}

interface Props {
  readonly choice: Choice
  readonly search: EffectiveSearch
  readonly cmp: string
  readonly onClose: () => void
}

export function Comparison({ choice, search, cmp, onClose }: Props) {
  const words = useWords()
  const other = comparedWith(cmp)
  const { data, error, refetch } = useQuery({
    queryKey: [RESOLVE, 'diff', choice, cmp],
    refetchInterval: refetchOffline,
    queryFn: () =>
      api.layers.diff({
        left: inputOf(choice),
        right: 'digest' in other ? other : inputOf(other),
      }),
  })
  const name = 'digest' in other ? `${other.digest.slice(0, 8)}…` : summaryOf(other)
  const base = words('effective.for.base')
  return (
    <section
      aria-label={words('effective.differences')}
      className="min-h-0 flex-1 overflow-y-auto border-t border-line"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
        <h2 className="min-w-0 text-sm font-semibold [overflow-wrap:anywhere]">
          <Plain
            text={words('effective.differences.title', {
              ...{ from: summaryOf(choice) || base, to: name || base },
            })}
          />
        </h2>
        <p className="text-xs text-text-2">
          {data && words('effective.differences.count', { n: data.differences.length })}
        </p>
        <Button look="quiet" icon="close" onClick={onClose}>
          {words('effective.differences.close')}
        </Button>
      </div>
      <div className="px-4 empty:hidden">
        <PollProblem error={error} hasData={data !== undefined} onRetry={() => void refetch()} />
      </div>
      {!data && !error && <Loading />}
      {data?.differences.length === 0 && (
        <p className="px-4 text-text-2">{words('effective.differences.none')}</p>
      )}
      <ul aria-label={words('effective.differences')} className="border-t border-line empty:hidden">
        {data?.differences.map((difference) => (
          <DifferenceRow
            key={`${difference.kind} ${difference.id}`}
            {...{ difference, search, other: 'digest' in other ? undefined : other }}
          />
        ))}
      </ul>
      <p className="px-4 py-3 text-xs text-text-3">{words('effective.differences.hint')}</p>
    </section>
  )
}

const COLORS = { added: 'text-done', removed: 'text-failed', changed: 'text-late' } as const

interface RowProps {
  readonly difference: Difference
  readonly search: EffectiveSearch
  /** Layers of the other side; undefined for a digest, whose entries are not stored. */
  readonly other: Choice | undefined
}

function DifferenceRow({ difference: { kind, id, change, fields }, search, other }: RowProps) {
  const words = useWords()
  const side = change === 'added' ? other : search
  const tab = `${kind}s` satisfies Tab
  return (
    <li className="grid items-baseline gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 text-sm md:grid-cols-[6rem_6rem_16rem_minmax(0,1fr)]">
      <span className={`text-xs font-medium ${COLORS[change]}`}>
        {words(`effective.change.${change}`)}
      </span>
      <span className="text-xs text-text-2">
        {words(kind === 'agent' ? 'chat.agent' : `effective.kind.${kind}`)}
      </span>
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
        {side ? (
          <Link
            to="/layers/effective"
            search={effectiveSearch({ ...side, cmp: '', q: '', kind: tab, name: id })}
            className="text-accent hover:underline"
          >
            <Plain text={id} />
          </Link>
        ) : (
          <Plain text={id} />
        )}
      </span>
      <span className="min-w-0 font-mono text-xs text-text-2 [overflow-wrap:anywhere]">
        <Plain text={fields.join(', ')} />
      </span>
    </li>
  )
}
