/** Migration of an older layout: the plan of a layer, and the button that performs it. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, refetchOffline, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Forbidden, Loading, PollProblem, Problem } from '../kit/notice.tsx'
import { Code, Inline, Plain } from '../text/text.tsx'
import { FILES, reloadFiles } from './use-files.ts'

type Migration = Schemas['Migration']
type Step = Migration['steps'][number]

interface Props {
  readonly layer: string
  readonly onClose: () => void
}

export function Migrate({ layer, onClose }: Props) {
  const words = useWords()
  const may = useMay('layers:write')
  const [result, setResult] = useState<Migration>()
  const plan = useQuery({
    queryKey: [FILES, 'migration', layer],
    enabled: may && result === undefined,
    refetchInterval: refetchOffline,
    queryFn: () => api.layers.migrate({ layer, dry_run: true }),
  })
  const migration = useMutation({
    mutationFn: () => api.layers.migrate({ layer, dry_run: false }),
    onSuccess: async (performed) => {
      setResult(performed)
      await reloadFiles()
    },
    // Another change may have made the plan obsolete.
    onError: () => plan.refetch(),
  })
  const { data, error, refetch } = plan
  const steps = (result ?? data)?.steps
  const hasChanges = steps?.some(({ action }) => action !== 'skip')
  return (
    <section
      aria-label={words('layers.migrate')}
      className="min-h-0 min-w-0 flex-1 overflow-y-auto p-4"
    >
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="min-w-0 flex-1 text-lg font-semibold [overflow-wrap:anywhere]">
            <Plain text={words('layers.migrate.title', { layer })} />
          </h2>
          <Button look="quiet" icon="close" onClick={onClose}>
            {words('close')}
          </Button>
        </div>
        <p className="text-sm text-text-2">
          <Inline text={words('layers.migrate.hint')} />
        </p>
        {!may && <Forbidden scope="layers:write" />}
        <PollProblem error={error} hasData={data !== undefined} onRetry={() => void refetch()} />
        <Problem error={migration.error} />
        {may && !steps && !error && <Loading />}
        {steps?.length === 0 && <p className="text-sm">{words('layers.migrate.none')}</p>}
        {steps && steps.length > 0 && (
          <>
            <p role="status" className="text-sm font-medium">
              {words(result ? 'layers.migrate.done' : 'layers.migrate.plan', { n: steps.length })}
            </p>
            <ol aria-label={words('layers.migrate.steps')} className="grid gap-2">
              {steps.map((step) => (
                <StepView key={`${step.action} ${step.path} ${step.from}`} step={step} />
              ))}
            </ol>
          </>
        )}
        {!result && hasChanges && (
          <p>
            <Button look="primary" busy={migration.isPending} onClick={() => migration.mutate()}>
              {words('layers.migrate.apply')}
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

/** Words for the effect of each step on its file. A migration replaces no file. */
const EFFECTS = {
  write: 'layers.step.create',
  move: 'layers.step.move',
  delete: 'layers.step.delete',
  skip: 'layers.step.keep',
} as const

const COLORS = {
  'layers.step.create': 'text-done',
  'layers.step.move': 'text-running',
  'layers.step.delete': 'text-failed',
  'layers.step.keep': 'text-text-2',
} as const

function StepView({ step }: { readonly step: Step }) {
  const words = useWords()
  const { path, from, reason, content, diagnostics = [] } = step
  const effect = EFFECTS[step.action]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-lg border border-line px-3 py-2 text-sm">
      <p className="[overflow-wrap:anywhere]">
        <span className={`font-medium ${COLORS[effect]}`}>{words(effect)}</span>{' '}
        <code className="font-mono text-xs">
          <Plain text={path} />
        </code>
      </p>
      {from !== undefined && (
        <p className="text-xs text-text-2 [overflow-wrap:anywhere]">
          <Plain text={words('layers.migrate.from', { path: from })} />
        </p>
      )}
      {reason !== undefined && (
        <p className="text-xs text-text-2 [overflow-wrap:anywhere]">
          <Plain text={reason} />
        </p>
      )}
      {diagnostics.map(({ code, severity, message }) => (
        <p key={`${code} ${message}`} className="text-xs text-late [overflow-wrap:anywhere]">
          {words(`effective.severity.${severity}`)} <Plain text={message} />
        </p>
      ))}
      {content !== undefined && <Code text={content} label={path} />}
    </li>
  )
}
