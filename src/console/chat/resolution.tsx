/** Configuration of the next turn: layers, agent, model, skills, servers, and missing parts. */

import type { ReactNode } from 'react'
import type { Schemas } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Plain } from '../text/text.tsx'
import type { Choice } from './choice.ts'

interface Props {
  readonly resolved: Schemas['Resolved']
  readonly choice: Choice
  readonly models: Schemas['Models'] | undefined
}

export function Resolution({ resolved, choice, models }: Props) {
  const words = useWords()
  const { agents, skills, servers, layers, unavailable, diagnostics, missing_secrets } = resolved
  const agent = agents.find(({ id }) => id === (choice.agent || 'general'))
  const requestedModel = choice.model || (agent?.model === 'inherit' ? null : agent?.model)
  const model = requestedModel ?? models?.default
  const alias = models?.aliases.find((entry) => entry.alias === model)
  const usable = skills.filter((skill) => skill.enabled && skill.available).map(({ id }) => id)
  const off = new Set(unavailable.map(({ name }) => name))
  const reachable = servers.filter((server) => server.enabled && !off.has(server.name))
  const problems = [
    ...unavailable.map(({ name, message }) => `${name}: ${message}`),
    ...missing_secrets.map(({ server, name }) => `${server}: ${words('chat.secret', { name })}`),
    ...diagnostics.map(({ message }) => message),
  ]
  return (
    <section
      aria-label={words('chat.resolved')}
      className="grid gap-2 rounded-lg bg-subtle p-3 text-sm"
    >
      <Line name={words('chat.layers')}>
        <Names of={layers.map(({ layer }) => layer)} />
      </Line>
      <Line name={words('chat.agent')}>
        {agent ? (
          <>
            <p className="[overflow-wrap:anywhere]">
              <Plain text={agent.description} />
            </p>
            <p className="font-mono text-xs text-text-2 [overflow-wrap:anywhere]">
              {agent.origin.key ?? agent.origin.layer}
            </p>
            <p className="text-xs text-text-2">
              {agent.tools === null
                ? words('chat.tools.all')
                : words('chat.tools', { names: agent.tools.join(', ') || words('none') })}
            </p>
          </>
        ) : (
          <p className="text-failed">{words('chat.agent.missing', { name: choice.agent ?? '' })}</p>
        )}
      </Line>
      <Line name={words('chat.model')}>
        <p className="font-mono text-xs [overflow-wrap:anywhere]">
          {alias ? `${alias.alias} → ${alias.models.join(', ')}` : (model ?? words('none'))}
        </p>
      </Line>
      <Line name={words('chat.skills')}>
        <Names of={usable} />
      </Line>
      <Line name={words('chat.servers')}>
        <Names of={reachable.map(({ name }) => name)} />
      </Line>
      {problems.length > 0 && (
        <ul className="grid gap-1 text-xs text-asks [overflow-wrap:anywhere]">
          {problems.map((problem) => (
            <li key={problem}>
              <Plain text={problem} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[6rem_1fr]">
      <span className="text-xs text-text-2">{name}</span>
      <div className="grid min-w-0 gap-1">{children}</div>
    </div>
  )
}

function Names({ of }: { readonly of: readonly string[] }) {
  const words = useWords()
  if (of.length === 0) return <span className="text-xs text-text-2">{words('none')}</span>
  return (
    <span className="flex flex-wrap gap-1">
      {of.map((value) => (
        <code key={value} className="rounded bg-sunken px-1 font-mono text-xs">
          <Plain text={value} />
        </code>
      ))}
    </span>
  )
}
