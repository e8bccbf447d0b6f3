/** Plan of an import: what would happen to each file and why, and the button that performs it. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { api } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Loading, Problem } from '../kit/notice.tsx'
import { amount } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import { StepList } from './list.tsx'
import type { UnsentFile } from './sources.ts'
import {
  ACTIONS,
  countsOf,
  type ImportSearch,
  isShown,
  linkOf,
  type Plan,
  type Row,
  rowsOf,
} from './state.ts'
import { Target } from './target.tsx'
import { UnsentFiles } from './unsent.tsx'
import { isChanged } from './upload.ts'

interface Props extends ImportSearch {
  readonly from: string
  readonly unsent: readonly UnsentFile[]
  readonly onRestart: () => void
}

export function PlanView(props: Props) {
  const words = useWords()
  const { from, layer = 'base/', loose = false, unsent, onRestart } = props
  const key = ['import', from, layer, loose]
  const input = { from, layer, loose }
  const plan = useQuery({
    queryKey: key,
    queryFn: () => api.layers.import({ ...input, dry_run: true }),
    // An earlier plan may have been performed.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const cache = useQueryClient()
  const apply = useMutation({
    mutationFn: (digest: string) => api.layers.import({ ...input, plan: digest, dry_run: false }),
    // Files that were written before a failure are in the next plan.
    onError: () => void plan.refetch(),
    onSuccess: () =>
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' }),
  })
  const isBusy = apply.isPending
  const [isEdited, setEdited] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layer has another field.
  useEffect(() => setEdited(false), [layer])
  return (
    <>
      <p className="text-sm">
        {words('import.sent')}{' '}
        <code className="font-mono text-xs [overflow-wrap:anywhere]">
          <Plain text={from} />
        </code>
      </p>
      <Target
        key={layer}
        search={props}
        isDisabled={isBusy || apply.isSuccess}
        onEdit={setEdited}
      />
      <UnsentFiles unsent={unsent} />
      {apply.data ? (
        <Done result={apply.data} />
      ) : (
        <>
          {apply.error && isChanged(apply.error) ? (
            <p role="alert" className="rounded-lg bg-asks-tint px-3 py-2 text-sm text-asks">
              {words('import.changed')}
            </p>
          ) : (
            <Problem error={apply.error} />
          )}
          <Problem error={plan.error} onRetry={() => void plan.refetch()} />
          {plan.isFetching && <Loading />}
          {plan.data && !plan.isFetching && (
            <Planned
              plan={plan.data}
              search={props}
              isBusy={isBusy}
              isEdited={isEdited}
              onApply={() => apply.mutate(plan.data.plan)}
            />
          )}
        </>
      )}
      <div>
        <Button look="quiet" icon="left" disabled={isBusy} onClick={onRestart}>
          {words('import.other')}
        </Button>
      </div>
    </>
  )
}

interface PlannedProps {
  readonly plan: Plan
  readonly search: ImportSearch
  readonly isBusy: boolean
  /** Whether the field of the layer has a value that the plan does not have. */
  readonly isEdited: boolean
  readonly onApply: () => void
}

function Planned({ plan, search, isBusy, isEdited, onApply }: PlannedProps) {
  const words = useWords()
  const mayWrite = useMay('layers:write')
  const rows = useMemo(() => rowsOf(plan), [plan])
  const counts = countsOf(rows)
  const writes = counts.create + counts.replace
  return (
    <>
      <Counts {...{ counts, search }} total={rows.length} />
      <StepList
        {...{ search, layer: plan.layer }}
        rows={rows.filter((row) => isShown(row, search.show))}
      />
      {mayWrite ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            busy={isBusy}
            disabled={writes === 0 || isEdited}
            onClick={onApply}
          >
            {words('import.apply', { n: writes })}
          </Button>
          <span className="text-xs text-text-2">
            {words(
              writes > 0
                ? 'import.apply.hint'
                : counts.keep > 0
                  ? 'import.nothing'
                  : 'import.none.loads',
            )}
          </span>
        </div>
      ) : (
        <Forbidden scope="layers:write" />
      )}
    </>
  )
}

interface CountsProps {
  readonly counts: Readonly<Record<Row['action'] | 'findings', number>>
  readonly total: number
  readonly search: ImportSearch
}

/** Filters of the list, each with its count. */
function Counts({ counts, total, search }: CountsProps) {
  const words = useWords()
  const navigate = useNavigate()
  const { show, sel: _, ...rest } = search
  const choose = (name: ImportSearch['show']): void =>
    void navigate({
      to: '/layers/import',
      search: { ...linkOf(rest), ...(name && { show: name }) },
    })
  return (
    <div role="group" aria-label={words('import.filter')} className="flex flex-wrap gap-1.5">
      {([undefined, ...ACTIONS, 'findings'] as const).map((name) => (
        <button
          key={name ?? 'all'}
          type="button"
          aria-pressed={show === name}
          onClick={() => choose(name)}
          className={`min-h-7 rounded-md border px-2.5 text-sm pointer-coarse:min-h-11 ${
            show === name ? 'border-accent bg-selected' : 'border-line hover:bg-sunken'
          }`}
        >
          {words(`import.show.${name ?? 'all'}`, { n: amount(name ? counts[name] : total) })}
        </button>
      ))}
    </div>
  )
}

function Done({ result }: { readonly result: Plan }) {
  const words = useWords()
  const { create, replace, keep, skip } = countsOf(rowsOf(result))
  return (
    <div role="status" className="grid gap-2 rounded-lg bg-done-tint px-3 py-2 text-sm text-done">
      <p>
        {words('import.done', {
          ...{ created: amount(create), replaced: amount(replace) },
          ...{ kept: amount(keep), skipped: amount(skip) },
        })}
      </p>
      <p>
        <Link to="/layers/effective" className="underline">
          {words('effective.title')}
        </Link>
      </p>
    </div>
  )
}
