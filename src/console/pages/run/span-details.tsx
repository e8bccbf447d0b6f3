/** The span that was chosen: when, how long, and the event that ended it. */

import { Link } from '@tanstack/react-router'
import type { RunEvent } from '../../../client/index.ts'
import { useWords, type Word } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { Code, lasted } from '../../ui/text.tsx'
import type { RunLine, Span } from './spans.ts'

interface Props {
  readonly line: RunLine
  readonly span: Span
  /** Of all. */
  readonly began: number
  readonly events: readonly RunEvent[]
}

export function SpanDetails({ line, span, began, events }: Props) {
  const words = useWords()
  const { kind, name, from, to, failed, critical } = span
  const event = events.find(({ id }) => id === span.id)
  return (
    <Card
      title={
        <span aria-live="polite">
          {words('timeline.span')}: {words(`span.${kind}` as Word)} {name}
        </span>
      }
      actions={
        <>
          {failed && <Badge tone="bad">{words('timeline.failed')}</Badge>}
          {critical && <Badge>{words('timeline.on')}</Badge>}
        </>
      }
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">{words('run.title')}</dt>
        <dd>
          <Link to="/runs/$run" params={{ run: line.runId }} className="text-accent underline">
            {line.label ?? line.agent}
          </Link>
        </dd>
        <dt className="text-muted">{words('timeline.after')}</dt>
        <dd className="tabular-nums">{lasted(from - began)}</dd>
        <dt className="text-muted">{words('timeline.lasted')}</dt>
        <dd className="tabular-nums">{lasted(to - from)}</dd>
      </dl>
      {event && (
        <div className="mt-3">
          <Code value={event} label={event.type} />
        </div>
      )}
    </Card>
  )
}
