/** The configuration of the run: agent, prompt, tools, skills, servers, and all that was missing. */

import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Code } from '../../ui/text.tsx'
import { Compare } from './compare.tsx'

type Config = Schemas['RunConfig']
const RULES: Readonly<Record<string, Tone>> = { ask: 'warn', deny: 'bad' }

export default function ConfigTab({ run }: { readonly run: Schemas['Run'] }) {
  const words = useWords()
  const found = useQuery({
    queryKey: ['runs', run.id, 'config'],
    queryFn: () => api.runs.config(run.id),
  })
  if (found.isPending) return <Loading />
  if (!found.data) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const config = found.data
  return (
    <div className="max-w-5xl">
      <Card title={words('config.title')}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
          <dt className="text-muted">{words('runs.agent')}</dt>
          <dd className="[overflow-wrap:anywhere]">
            {config.agent.id}{' '}
            <span className="font-mono text-xs text-muted">{config.agent.path}</span>
          </dd>
          <dt className="text-muted">{words('run.model')}</dt>
          <dd>{[config.model, ...config.fallbacks].join(' → ')}</dd>
          <dt className="text-muted">{words('config.digest')}</dt>
          <dd className="font-mono text-xs [overflow-wrap:anywhere]">{config.config_digest}</dd>
        </dl>
        {config.warnings.map(({ code, message }) => (
          <p key={`${code} ${message}`} className="mt-2 text-sm text-warn [overflow-wrap:anywhere]">
            {message}
          </p>
        ))}
      </Card>
      <Compare config={config} />
      <Missing config={config} />
      <Tools tools={config.tools} />
      <Named
        title={words('config.skills')}
        rows={config.skills.map(({ id, description, path }) => [id, description, path])}
      />
      <Named
        title={words('config.servers')}
        rows={config.servers.map(({ name, transport, url, command, layer }) => [
          name,
          `${transport} ${url ?? command ?? ''}`,
          layer,
        ])}
      />
      <Card title={words('config.prompt')}>
        <Code value={config.prompt} label={words('config.prompt')} />
      </Card>
    </div>
  )
}

/** Promised to the run and not there, each with the reason, and the notes to the model. */
function Missing({ config }: { readonly config: Config }) {
  const words = useWords()
  const tools = (config.missing_tools ?? []).map(({ tool, why }) => ['tool', tool, why] as const)
  const servers = (config.missing_servers ?? []).map(
    ({ name, why }) => ['server', name, why] as const,
  )
  const skills = (config.missing_skills ?? []).map(
    ({ skill, why }) => ['skill', skill, why] as const,
  )
  const all = [...tools, ...servers, ...skills]
  return (
    <Card title={words('config.missing')}>
      {all.length === 0 && <p className="text-sm text-muted">{words('config.missing.none')}</p>}
      <ul className="grid gap-1 text-sm">
        {all.map(([kind, name, why]) => (
          <li key={`${kind} ${name} ${why}`} className="[overflow-wrap:anywhere]">
            <Badge tone="warn">{words(`config.missing.${kind}`)}</Badge>{' '}
            <code className="font-mono text-xs font-semibold">{name}</code>{' '}
            <span className="text-muted">{why}</span>
          </li>
        ))}
      </ul>
      {config.notes.length > 0 && (
        <div className="mt-3 grid gap-1 text-sm">
          <h3 className="font-medium">{words('config.notes')}</h3>
          {config.notes.map((note) => (
            <p key={note} className="whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
              {note}
            </p>
          ))}
        </div>
      )}
    </Card>
  )
}

function Tools({ tools }: { readonly tools: Config['tools'] }) {
  const words = useWords()
  return (
    <Card title={words('config.tools', { n: tools.length })}>
      <ul className="grid gap-2">
        {tools.map(({ name, description, source, server, rule, input_schema }) => (
          <li key={name}>
            <details>
              <summary className="text-sm">
                <code className="font-mono text-xs font-semibold">{name}</code>{' '}
                <Badge>{server ?? source}</Badge>{' '}
                {rule && <Badge tone={RULES[rule] ?? 'neutral'}>{rule}</Badge>}{' '}
                <span className="text-muted">{description.split('\n')[0]}</span>
              </summary>
              <div className="mt-2">
                <Code value={input_schema} label={name} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Row = readonly [string, string, string]

function Named({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) {
  const words = useWords()
  return (
    <Card title={title}>
      {rows.length === 0 && <p className="text-sm text-muted">{words('none')}</p>}
      <ul className="grid gap-1.5 text-sm">
        {rows.map(([name, about, where]) => (
          <li key={`${name} ${where}`} className="[overflow-wrap:anywhere]">
            <code className="font-mono text-xs font-semibold">{name}</code> {about}{' '}
            <span className="font-mono text-xs text-muted">{where}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
