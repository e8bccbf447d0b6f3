/** Configuration that a run was given: what is missing first, then prompt, tools, and layers. */

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, ProblemError, refetchOffline, type Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { Code, Plain } from '../text/text.tsx'

type Config = Schemas['RunConfig']

export function Configuration({ id }: { readonly id: string }) {
  const words = useWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['run', id, 'config'],
    queryFn: () => api.runs.config(id),
    refetchInterval: refetchOffline,
  })
  if (error instanceof ProblemError && error.status === 409) {
    return <p className="p-6 text-sm text-text-2">{words('run.given.early')}</p>
  }
  if (error) {
    return (
      <div className="p-4 sm:px-6">
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  if (!data) return <Loading />
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto grid max-w-4xl gap-6 px-4 py-4 sm:px-6">
        <Missing config={data} />
        <Prompt config={data} />
        <Tools config={data} />
        <Entries config={data} />
        <Limits config={data} />
      </div>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly count?: number
  readonly children: ReactNode
}

function Section({ title, count, children }: SectionProps) {
  return (
    <section className="grid gap-2" aria-label={title}>
      <h2 className="text-lg font-semibold">
        {title}
        {count !== undefined && (
          <span className="pl-2 text-sm font-normal text-text-3">{count}</span>
        )}
      </h2>
      {children}
    </section>
  )
}

function Missing({ config }: { readonly config: Config }) {
  const words = useWords()
  const missing = [
    ...(config.missing_servers ?? []).map(({ name, why }) => ({ name, why })),
    ...(config.missing_tools ?? []).map(({ tool, why }) => ({ name: tool, why })),
    ...config.warnings.map(({ code, message }) => ({ name: code, why: message })),
  ]
  if (missing.length === 0) return null
  return (
    <Section title={words('run.given.missing')} count={missing.length}>
      <Rows rows={missing.map(({ name, why }) => ({ key: `${name} ${why}`, name, text: why }))} />
    </Section>
  )
}

interface Row {
  readonly key: string
  readonly name: string
  readonly text: string
  readonly notes?: readonly string[]
}

const CLAMPED_CHARACTERS = 240

/** Shows the beginning of a long description; a click shows the rest. */
function Clamped({ text }: { readonly text: string }) {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  if (text.length <= CLAMPED_CHARACTERS) return <Plain text={text} />
  return (
    <>
      <span className={isWhole ? 'whitespace-pre-line' : 'line-clamp-3'}>
        <Plain text={text} />
      </span>
      <button
        type="button"
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
        className="text-xs text-accent hover:underline"
      >
        {words(isWhole ? 'chat.less' : 'chat.all')}
      </button>
    </>
  )
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <ul className="grid divide-y divide-line rounded-lg border border-line">
      {rows.map(({ key, name, text, notes = [] }) => (
        <li
          key={key}
          className="grid gap-x-4 gap-y-0.5 px-3 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]"
        >
          <span className="min-w-0 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
            <Plain text={name} />
          </span>
          <span className="min-w-0 text-sm [overflow-wrap:anywhere]">
            <Clamped text={text} />
            {notes.map((note) => (
              <span key={note} className="ml-2 rounded bg-sunken px-1 text-xs text-text-2">
                <Plain text={note} />
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Prompt({ config }: { readonly config: Config }) {
  const words = useWords()
  const { agent, prompt, notes, output_schema } = config
  return (
    <Section title={words('run.given.prompt')}>
      <p className="font-mono text-xs text-text-2 [overflow-wrap:anywhere]">
        <Plain text={agent.path ?? agent.id} /> · <Plain text={config.model} />
      </p>
      <Code text={prompt} label={words('run.given.prompt')} />
      {notes.map((note) => (
        <Code key={note} text={note} label={words('run.given.note')} />
      ))}
      {output_schema && (
        <Code text={JSON.stringify(output_schema, null, 2)} label={words('run.given.schema')} />
      )}
    </Section>
  )
}

function Tools({ config }: { readonly config: Config }) {
  const words = useWords()
  return (
    <Section title={words('run.given.tools')} count={config.tools.length}>
      <Rows
        rows={config.tools.map(
          ({ name, description, source, server, rule, deferred, ruled_by }) => ({
            key: name,
            name,
            text: description,
            notes: [
              server === undefined ? source : `${source}: ${server}`,
              ...(rule === undefined
                ? []
                : [ruled_by === undefined ? rule : `${rule}: ${ruled_by}`]),
              ...(deferred ? [words('run.given.deferred')] : []),
            ],
          }),
        )}
      />
    </Section>
  )
}

function Entries({ config }: { readonly config: Config }) {
  const words = useWords()
  const { skills, servers, agents, layers } = config
  return (
    <>
      {skills.length > 0 && (
        <Section title={words('chat.skills')} count={skills.length}>
          <Rows
            rows={skills.map(({ id, description, path }) => ({
              ...{ key: id, name: id, text: description, notes: [path] },
            }))}
          />
        </Section>
      )}
      {servers.length > 0 && (
        <Section title={words('chat.servers')} count={servers.length}>
          <Rows
            rows={servers.map(({ name, transport, url, command, layer }) => ({
              ...{ key: name, name, text: url ?? command ?? '', notes: [transport, layer] },
            }))}
          />
        </Section>
      )}
      {agents.length > 0 && (
        <Section title={words('run.given.agents')} count={agents.length}>
          <Rows rows={agents.map(({ id }) => ({ key: id, name: id, text: '' }))} />
        </Section>
      )}
      <Section title={words('chat.layers')} count={layers?.length ?? 0}>
        <Rows
          rows={(layers ?? []).map(({ kind, layer }) => ({
            ...{ key: `${kind} ${layer}`, name: kind, text: layer },
          }))}
        />
      </Section>
    </>
  )
}

function Limits({ config }: { readonly config: Config }) {
  const words = useWords()
  const limits = Object.entries(config.limits).filter(([, value]) => value !== null)
  return (
    <Section title={words('run.given.limits')}>
      <Rows rows={limits.map(([name, value]) => ({ key: name, name, text: String(value) }))} />
    </Section>
  )
}
