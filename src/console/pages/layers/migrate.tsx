/** Migration of an older layout: first the plan, then, once it was seen, the same for good. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, noteProblem, ProblemError, type Schemas } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Problem } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Code } from '../../ui/text.tsx'
import { FILES, RESOLVED } from './files.ts'
import { Findings } from './findings.tsx'
import { LayerInput } from './layer-input.tsx'

type Migration = Schemas['Migration']
type Step = Migration['steps'][number]

const TONES = { write: 'good', move: 'good', delete: 'bad', skip: 'neutral' } as const

export default function Migrate() {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('layers:write')
  const [layer, setLayer] = useState('base/')
  const planning = useMutation({
    mutationFn: (of: string) => api.layers.migrate({ layer: of, dry_run: true }),
    onError: noteProblem,
  })
  const applying = useMutation({
    mutationFn: ({ layer, plan_digest }: Migration) =>
      api.layers.migrate({ layer, plan_digest, dry_run: false }),
    onError: (error, seen) => {
      noteProblem(error)
      // The layer has changed: what would be done now is shown, and has to be wanted anew.
      if (error instanceof ProblemError && error.status === 412) planning.mutate(seen.layer)
    },
    onSuccess: async () => {
      for (const queryKey of [FILES, RESOLVED]) await cache.invalidateQueries({ queryKey })
    },
  })
  const plan = applying.data ?? planning.data
  const busy = planning.isPending || applying.isPending
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    applying.reset()
    planning.mutate(layer.trim())
  }
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{words('layers.migrate.hint')}</p>
      <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
        <div className="min-w-60 flex-1">
          <LayerInput
            label={words('layers.migrate.layer')}
            value={layer}
            onChange={(next) => {
              setLayer(next)
              // A plan is applied to the layer that it was made for, and to no other.
              planning.reset()
              applying.reset()
            }}
          />
        </div>
        <Button type="submit" busy={busy} disabled={!may || layer.trim() === ''}>
          {words('layers.migrate.plan')}
        </Button>
      </form>
      {!may && <p className="text-sm text-muted">{words('error.forbidden')}</p>}
      <Problem error={applying.error ?? planning.error} />
      {plan && plan.steps.length === 0 && (
        <Empty title={words('layers.migrate.nothing', { layer: plan.layer })} />
      )}
      {plan && plan.steps.length > 0 && (
        <Plan plan={plan} busy={busy} onApply={() => applying.mutate(plan)} />
      )}
    </div>
  )
}

interface PlanProps {
  readonly plan: Migration
  readonly busy: boolean
  readonly onApply: () => void
}

function Plan({ plan, busy, onApply }: PlanProps) {
  const words = useWords()
  const { layer, dry_run, steps } = plan
  const does = steps.some(({ action }) => action !== 'skip')
  return (
    <Card
      title={words(dry_run ? 'layers.migrate.steps' : 'layers.migrate.done', {
        layer,
        n: steps.length,
      })}
      actions={
        dry_run &&
        does && (
          <Button look="primary" busy={busy} onClick={onApply}>
            {words('layers.migrate.apply')}
          </Button>
        )
      }
    >
      <ol className="grid gap-3 text-sm">
        {steps.map((step) => (
          <OneStep key={`${step.action} ${step.path} ${step.from}`} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function OneStep({ step }: { readonly step: Step }) {
  const words = useWords()
  const { action, path, from, reason, content, diagnostics = [] } = step
  return (
    <li className="grid gap-1">
      <p className="flex flex-wrap items-baseline gap-2">
        <Badge tone={TONES[action]}>{words(`layers.step.${action}`)}</Badge>
        <code className="font-mono text-xs font-semibold [overflow-wrap:anywhere]">{path}</code>
        {from && (
          <span className="text-xs text-muted [overflow-wrap:anywhere]">
            {words('layers.migrate.from', { path: from })}
          </span>
        )}
      </p>
      {reason && <p className="text-muted [overflow-wrap:anywhere]">{reason}</p>}
      {content && <Code value={content} label={path} />}
      <Findings findings={diagnostics} />
    </li>
  )
}
