/** The question, its answer, the subagents, and the cost. */

import { Link } from '@tanstack/react-router'
import { api, type Schemas } from '../../app/api.ts'
import { useWords, type Word } from '../../app/words.ts'
import { Status } from '../../ui/badge.tsx'
import { More, usePages } from '../../ui/more.tsx'
import { Card, Table } from '../../ui/page.tsx'
import { Ago, amount, Code, dollars, lasted, Prose } from '../../ui/text.tsx'

type Run = Schemas['Run']

export function Overview({ run }: { readonly run: Run }) {
  const words = useWords()
  const { output, error, warnings, question, todos } = run
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        <Card title={words('run.input')}>
          <p className="text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">{run.input}</p>
        </Card>
        {question && (
          <Card title={words('run.question')}>
            <ul className="grid gap-1 text-sm">
              {question.questions.map((one) => (
                <li key={JSON.stringify(one)}>
                  <Code value={one} label={words('run.question')} />
                </li>
              ))}
            </ul>
          </Card>
        )}
        {error && (
          <Card title={words('run.error')}>
            <p className="text-sm text-bad [overflow-wrap:anywhere]">
              <code className="font-mono">{error.code}</code> {error.message}
            </p>
          </Card>
        )}
        {output && (
          <Card title={words('run.output')}>
            <div className="text-sm">
              <Prose text={output.text} />
            </div>
            {output.structured !== null && output.structured !== undefined && (
              <div className="mt-3">
                <Code value={output.structured} label={words('run.structured')} />
              </div>
            )}
          </Card>
        )}
        {(warnings ?? []).length > 0 && (
          <Card title={words('run.warnings')}>
            <ul className="grid gap-1 text-sm text-warn">
              {warnings!.map((one) => (
                <li key={`${one.code} ${one.message}`} className="[overflow-wrap:anywhere]">
                  {one.message}
                </li>
              ))}
            </ul>
          </Card>
        )}
        {todos && todos.length > 0 && (
          <Card title={words('run.todos')}>
            <Code value={todos} label={words('run.todos')} />
          </Card>
        )}
        {run.children.total > 0 && <Children run={run} />}
      </div>
      <Facts run={run} />
    </div>
  )
}

function Facts({ run }: { readonly run: Run }) {
  const words = useWords()
  const { usage, cost, started_at, ended_at, created_at } = run
  const end = ended_at ? Date.parse(ended_at) : Date.now()
  const rows: readonly (readonly [Word, React.ReactNode])[] = [
    ['runs.agent', run.agent],
    ['run.model', run.model ?? '–'],
    ['run.role', run.role ?? '–'],
    ['run.repo', run.repo_dir ?? '–'],
    ['run.stop', run.stop_reason ?? '–'],
    ['run.created', <Ago key="c" at={created_at} />],
    ['run.waited', started_at ? lasted(Date.parse(started_at) - Date.parse(created_at)) : '–'],
    ['run.took', started_at ? lasted(end - Date.parse(started_at)) : '–'],
    ['run.steps', amount(run.steps)],
    ['usage.calls', amount(usage.model_calls)],
    ['usage.input', amount(usage.input_tokens)],
    ['usage.output', amount(usage.output_tokens)],
    ['usage.cost', cost === null ? '–' : dollars(cost)],
  ]
  return (
    <div>
      <Card title={words('run.facts')}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          {rows.map(([word, value]) => (
            <div key={word} className="contents">
              <dt className="text-muted">{words(word)}</dt>
              <dd className="text-right [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-3 grid gap-1 text-sm">
          {run.parent_run_id && (
            <Link
              to="/runs/$run"
              params={{ run: run.parent_run_id }}
              className="text-accent underline"
            >
              {words('run.parent')}
            </Link>
          )}
          {run.fanout_id && (
            <Link
              to="/fanouts/$fanout"
              params={{ fanout: run.fanout_id }}
              className="text-accent underline"
            >
              {words('run.fanout')}
            </Link>
          )}
        </div>
      </Card>
      {Object.keys(run.metadata).length > 0 && (
        <Card title={words('runs.metadata')}>
          <Code value={run.metadata} label={words('runs.metadata')} />
        </Card>
      )}
    </div>
  )
}

function Children({ run }: { readonly run: Run }) {
  const words = useWords()
  const found = usePages<Run>(['runs', run.id, 'children', run.children], (cursor) =>
    api.runs.children(run.id, { cursor, limit: 100 } as never),
  )
  return (
    <Card title={words('run.children', { n: run.children.total })}>
      <Table
        label={words('run.subagents')}
        head={[
          words('runs.status'),
          words('runs.agent'),
          words('run.input'),
          words('run.steps'),
          words('usage.cost'),
        ]}
      >
        {found.items.map((one) => (
          <tr key={one.id}>
            <td>
              <Status status={one.status} />
            </td>
            <td>
              <Link to="/runs/$run" params={{ run: one.id }} className="text-accent underline">
                {one.label ?? one.agent}
              </Link>
            </td>
            <td className="max-w-80 truncate">{one.input}</td>
            <td>{one.steps}</td>
            <td>{one.cost === null ? '–' : dollars(one.cost)}</td>
          </tr>
        ))}
      </Table>
      <More of={found} />
    </Card>
  )
}
