/** Details of the selected event: what happened, when, and the complete data. */

import type { ReactNode } from 'react'
import type { RunEvent } from '../../client/index.ts'
import { useWords } from '../i18n/words.ts'
import { IconButton } from '../kit/button.tsx'
import type { LogText } from '../log/shape.ts'
import { Arguments } from '../text/arguments.tsx'
import { duration, exactTime } from '../text/format.ts'
import { Code, Plain } from '../text/text.tsx'
import { Cut, useWhole } from '../transcript/body.tsx'
import { RunLink } from './run-link.tsx'
import type { Selection } from './search.ts'

interface Props {
  readonly selection: Selection
  readonly events: readonly RunEvent[]
  readonly onClose: () => void
}

export function Inspector({ selection, events, onClose }: Props) {
  const words = useWords()
  const log = events.filter(({ run_id }) => run_id === selection.run)
  const event = log.find(({ seq }) => seq === selection.seq)
  return (
    <aside
      aria-label={words('run.inspector')}
      className="fixed inset-0 z-30 flex min-h-0 flex-col bg-canvas md:absolute md:inset-y-0 md:right-0 md:left-auto md:w-[400px] md:border-l md:border-line md:shadow-float xl:static xl:z-auto xl:shrink-0 xl:shadow-none"
    >
      <header className="flex min-h-9 items-center gap-2 border-b border-line px-4">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">
          {event ? <Plain text={event.type} /> : words('run.inspector.missing')}
        </h2>
        <IconButton icon="close" label={words('close')} onClick={onClose} />
      </header>
      {event && (
        <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto p-4 text-sm">
          <Facts event={event} />
          <AnswerOf event={event} />
          <CallOf event={event} log={log} />
          <section className="grid gap-1">
            <h3 className="text-xs text-text-3">{words('run.inspector.event')}</h3>
            <Code text={JSON.stringify(event, null, 2)} label={words('run.inspector.event')} />
          </section>
        </div>
      )}
    </aside>
  )
}

/** Members that several types of events have. */
interface Data {
  readonly call?: string
  readonly tool?: string
  readonly status?: string
  readonly model?: string
  readonly began_at?: string
  readonly duration_ms?: number
  readonly text?: LogText
  readonly run_id?: string
  readonly on?: string
}

function Facts({ event }: { readonly event: RunEvent }) {
  const words = useWords()
  const { status, model, began_at, duration_ms, tool, run_id } = event.data as Data
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1">
      <Fact name={words('run.inspector.time')}>{exactTime(event.created_at)}</Fact>
      <Fact name={words('run.inspector.run')}>
        <span className="font-mono text-xs [overflow-wrap:anywhere]">
          <RunLink run={event.run_id} text={event.run_id} />
        </span>
      </Fact>
      <Fact name={words('run.inspector.seq')}>{event.seq}</Fact>
      {tool !== undefined && (
        <Fact name={words('run.inspector.tool')}>
          <Plain text={tool} />
        </Fact>
      )}
      {typeof model === 'string' && (
        <Fact name={words('chat.model')}>
          <Plain text={model} />
        </Fact>
      )}
      {status !== undefined && (
        <Fact name={words('run.inspector.status')}>
          <Plain text={status} />
        </Fact>
      )}
      {began_at !== undefined && (
        <Fact name={words('run.inspector.began')}>{exactTime(began_at)}</Fact>
      )}
      {duration_ms !== undefined && (
        <Fact name={words('run.inspector.duration')}>{duration(duration_ms)}</Fact>
      )}
      {run_id !== undefined && (
        <Fact name={words('run.inspector.subagent')}>
          <span className="font-mono text-xs [overflow-wrap:anywhere]">
            <RunLink run={run_id} text={run_id} />
          </span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-xs leading-5 text-text-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

interface Part {
  readonly type: string
  readonly id?: string
  readonly arguments?: LogText
  readonly text?: LogText
}

/** Shows what the model wrote in an answer. */
function AnswerOf({ event }: { readonly event: RunEvent }) {
  const words = useWords()
  if (event.type !== 'assistant.message') return null
  const texts = (event.data.parts as readonly Part[]).flatMap(({ type, text }) =>
    type === 'text' && text !== undefined && text !== '' ? [text] : [],
  )
  return texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer never change.
    <section key={index} className="grid gap-1">
      <h3 className="text-xs text-text-3">{words('run.inspector.answer')}</h3>
      <ResultOf text={text} run={event.run_id} />
    </section>
  ))
}

interface CallProps {
  readonly event: RunEvent
  readonly log: readonly RunEvent[]
}

/** Shows the arguments of the call that the event is about, and its result. */
function CallOf({ event, log }: CallProps) {
  const words = useWords()
  const { call, text } = event.data as Data
  const parts = log.flatMap((entry) =>
    entry.type === 'assistant.message' ? (entry.data.parts as readonly Part[]) : [],
  )
  const request = call === undefined ? undefined : parts.find(({ id }) => id === call)
  return (
    <>
      {request?.arguments !== undefined && (
        <section className="grid gap-1">
          <h3 className="text-xs text-text-3">{words('run.inspector.arguments')}</h3>
          <ArgumentsOf text={request.arguments} run={event.run_id} />
        </section>
      )}
      {event.type === 'tool.result' && text !== undefined && (
        <section className="grid gap-1">
          <h3 className="text-xs text-text-3">{words('run.inspector.result')}</h3>
          <ResultOf text={text} run={event.run_id} />
        </section>
      )}
    </>
  )
}

interface TextProps {
  readonly text: LogText
  readonly run: string
}

function ArgumentsOf({ text, run }: TextProps) {
  const words = useWords()
  const body = useWhole(text, run)
  return <Arguments text={body.text} label={words('run.inspector.arguments')} />
}

function ResultOf({ text, run }: TextProps) {
  const words = useWords()
  const body = useWhole(text, run)
  return (
    <>
      <Code text={body.text} label={words('run.inspector.result')} />
      <Cut text={text} isMissing={body.isMissing} />
    </>
  )
}
