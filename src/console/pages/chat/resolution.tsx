/** A resolved choice: layers, agent, model, skills and servers, and what is amiss. */

import type { ReactNode } from 'react'
import type { Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import type { Choice } from '../../chat/draft.ts'
import { Badge } from '../../ui/badge.tsx'

interface Props {
  readonly resolved: Schemas['Resolved']
  readonly choice: Choice
  readonly models: Schemas['Models'] | undefined
}

export function Resolution({ resolved, choice, models }: Props) {
  const words = useWords()
  const { agents, skills, servers, layers, unavailable, diagnostics, missing_secrets } = resolved
  const agent = agents.find(({ id }) => id === (choice.agent || 'general'))
  const named = choice.model || (agent?.model === 'inherit' ? null : agent?.model)
  const model = named ?? models?.default
  const alias = models?.aliases.find((one) => one.alias === model)
  const usable = skills.filter((one) => one.enabled && one.available).map(({ id }) => id)
  const off = new Set(unavailable.map(({ name }) => name))
  const reachable = servers.filter((one) => one.enabled && !off.has(one.name))
  const amiss = [
    ...unavailable.map(({ name, message }) => `${name}: ${message}`),
    ...missing_secrets.map(({ server, name }) => `${server}: ${words('chat.secret', { name })}`),
    ...diagnostics.map(({ message }) => message),
  ]
  return (
    <section
      aria-label={words('chat.resolved')}
      className="grid gap-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      <Line name={words('chat.layers')}>
        <Names of={layers.map(({ layer }) => layer)} />
      </Line>
      <Line name={words('chat.agent')}>
        {agent ? (
          <>
            <p className="[overflow-wrap:anywhere]">{agent.description}</p>
            <p className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
              {agent.origin.key ?? agent.origin.layer}
            </p>
            <p className="text-xs text-muted">
              {agent.tools === null
                ? words('chat.tools.all')
                : words('chat.tools', { names: agent.tools.join(', ') || words('none') })}
            </p>
          </>
        ) : (
          <p className="text-bad">{words('chat.agent.missing', { name: choice.agent ?? '' })}</p>
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
      {amiss.length > 0 && (
        <ul className="grid gap-1 text-xs text-warn [overflow-wrap:anywhere]">
          {amiss.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[6rem_1fr]">
      <span className="text-xs text-muted">{name}</span>
      <div className="grid min-w-0 gap-1">{children}</div>
    </div>
  )
}

function Names({ of }: { readonly of: readonly string[] }) {
  const words = useWords()
  if (of.length === 0) return <span className="text-xs text-muted">{words('none')}</span>
  return (
    <span className="flex flex-wrap gap-1">
      {of.map((one) => (
        <Badge key={one}>{one}</Badge>
      ))}
    </span>
  )
}
