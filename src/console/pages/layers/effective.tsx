/** The configuration of a run with a role and a repository: each entry, its origin, and why not. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { BareSelect, Input } from '../../ui/field.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Inline } from '../../ui/text.tsx'
import { EntryRow, FileLink } from './entry.tsx'
import { RESOLVED, useFiles } from './files.ts'
import { Findings } from './findings.tsx'
import { layersIn } from './paths.ts'
import { ServerTest, Switch } from './switch.tsx'

type Resolved = Schemas['Resolved']

interface Chosen {
  readonly role?: string
  readonly repo?: string
}

export default function Effective() {
  const { role, repo } = useSearch({ strict: false }) as Chosen
  const [into, setInto] = useState('')
  const input = { ...(role && { role }), ...(repo && { repo_dir: repo }) }
  const found = useQuery({
    queryKey: [...RESOLVED, input],
    queryFn: () => api.layers.resolve(input),
    placeholderData: (before) => before,
  })
  return (
    <div className="grid gap-1">
      <Pickers key={`${role} ${repo}`} role={role ?? ''} repo={repo ?? ''} />
      <Problem error={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && <Loading />}
      {found.data && !found.error && (
        <>
          <Stack resolved={found.data} into={into} onInto={setInto} />
          <Lists resolved={found.data} into={into} />
        </>
      )}
    </div>
  )
}

/** They stand in the address, so that a link shows the same. */
function Pickers({ role, repo }: { readonly role: string; readonly repo: string }) {
  const words = useWords()
  const navigate = useNavigate()
  const id = useId()
  const { data } = useFiles()
  const layers = layersIn(data?.entries ?? [])
  const [asRole, setRole] = useState(role)
  const [asRepo, setRepo] = useState(repo)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const chosen = {
      ...(asRole.trim() && { role: asRole.trim() }),
      ...(asRepo.trim() && { repo: asRepo.trim() }),
    }
    void navigate({ to: '.', search: { tab: 'effective', ...chosen } as never })
  }
  return (
    <form className="mb-3 grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]" onSubmit={submit}>
      <Input
        label={words('layers.role')}
        hint={words('layers.role.hint')}
        list={`${id}-roles`}
        value={asRole}
        onChange={({ target }) => setRole(target.value)}
      />
      <Input
        label={words('layers.repo')}
        placeholder="repos/shop"
        list={`${id}-repos`}
        value={asRepo}
        onChange={({ target }) => setRepo(target.value)}
      />
      <datalist id={`${id}-roles`}>
        {layers
          .filter((one) => one.startsWith('roles/'))
          .map((one) => (
            <option key={one} value={one.split('/')[1]} />
          ))}
      </datalist>
      <datalist id={`${id}-repos`}>
        {layers
          .filter((one) => one.startsWith('repos/'))
          .map((one) => (
            <option key={one} value={one.slice(0, -1)} />
          ))}
      </datalist>
      <Button look="primary" type="submit" className="min-h-9 sm:mt-6.5">
        {words('layers.resolve')}
      </Button>
    </form>
  )
}

interface StackProps {
  readonly resolved: Resolved
  readonly into: string
  readonly onInto: (layer: string) => void
}

function Stack({ resolved, into, onInto }: StackProps) {
  const words = useWords()
  const { layers, digest, diagnostics, missing_secrets } = resolved
  const own = layers.filter(({ kind }) => kind !== 'builtin' && kind !== 'run')
  return (
    <Card
      title={words('layers.stack')}
      actions={
        <>
          <span className="text-xs text-muted">{words('layers.switch.layer')}</span>
          <BareSelect
            label={words('layers.switch.layer')}
            value={into}
            options={[
              ['', words('layers.switch.own')],
              ...own.map(({ layer }) => [layer, layer] as const),
            ]}
            onChange={({ target }) => onInto(target.value)}
          />
        </>
      }
    >
      <ol className="flex flex-wrap items-center gap-2 text-sm">
        {layers.map(({ kind, layer }) => (
          <li key={`${kind} ${layer}`} className="flex items-center gap-1.5">
            <Badge>{kind}</Badge> <code className="font-mono text-xs">{layer}</code>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-xs text-muted">
        {words('layers.digest')}{' '}
        <code className="font-mono [overflow-wrap:anywhere]">{digest}</code>
      </p>
      <Findings findings={diagnostics} />
      {missing_secrets.map(({ server, name }) => (
        <p key={`${server} ${name}`} className="mt-2 text-sm text-warn">
          {words('layers.secret.missing', { server, name })}
        </p>
      ))}
    </Card>
  )
}

function Lists({ resolved, into }: { readonly resolved: Resolved; readonly into: string }) {
  const words = useWords()
  const { agents, skills, servers, schedules, unavailable, records, lacks } = resolved
  const why = new Map(unavailable.map(({ name, message }) => [name, message]))
  const gone = unavailable.filter(({ name }) => !servers.some((one) => one.name === name))
  const found = records.filter(({ diagnostics }) => diagnostics.length > 0)
  const missing = Object.entries(lacks)
  return (
    <>
      <Group
        title={words('layers.agents', { n: agents.length })}
        none="base/.agents/agents/"
        about={words('layers.agents.switch')}
      >
        {agents.map(({ id, description, model, visibility, origin }) => (
          <EntryRow
            key={id}
            {...{ name: id, description, origin, kind: 'agent' as const }}
            marks={[...(model ? [model] : []), ...(visibility === 'listed' ? [] : [visibility])]}
          />
        ))}
      </Group>
      <Group title={words('layers.skills', { n: skills.length })} none="base/.agents/skills/">
        {skills.map(({ id, description, enabled, available, reason, origin }) => (
          <EntryRow
            key={id}
            {...{ name: id, description, origin, kind: 'skill' as const }}
            off={!enabled}
            why={available && enabled ? undefined : (reason ?? undefined)}
          >
            <Switch kind="skill" {...{ name: id, enabled, origin, into }} />
          </EntryRow>
        ))}
      </Group>
      <Group title={words('layers.servers', { n: servers.length })} none="base/.agents/config.toml">
        {servers.map(({ name, transport, url, command, enabled, origin }) => (
          <EntryRow
            key={name}
            {...{ name, origin, kind: 'server' as const }}
            description={String(url ?? command ?? '')}
            marks={[transport]}
            off={!enabled}
            why={why.get(name)}
          >
            <ServerTest name={name} origin={origin} />
            <Switch kind="server" {...{ name, enabled, origin, into }} />
          </EntryRow>
        ))}
        {gone.map(({ name, code, message }) => (
          <li key={name} className="grid gap-1 border-t border-line py-2 text-sm first:border-0">
            <p className="flex flex-wrap items-center gap-2">
              <code className="font-mono text-xs font-semibold">{name}</code>
              <Badge tone="bad">{words('layers.unavailable')}</Badge>
              <code className="font-mono text-xs text-muted">{code}</code>
            </p>
            <p className="text-bad [overflow-wrap:anywhere]">{message}</p>
          </li>
        ))}
      </Group>
      {schedules.length > 0 && (
        <Group title={words('layers.schedules', { n: schedules.length })}>
          {schedules.map(({ name, request, origin }) => (
            <EntryRow key={name} {...{ name, description: request.input, origin }} />
          ))}
        </Group>
      )}
      {found.length > 0 && (
        <Card title={words('layers.records', { n: found.length })}>
          <ul className="grid gap-3">
            {found.map(({ layer, path, diagnostics }) => (
              <li key={layer + path} className="overflow-hidden rounded-lg border border-line">
                <p className="px-3 py-1.5 text-xs">
                  <FileLink path={layer + path} />
                </p>
                <Findings findings={diagnostics} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {missing.length > 0 && (
        <Card title={words('layers.lacks', { n: missing.length })}>
          <ul className="grid gap-1 text-sm">
            {missing.map(([tool, needs]) => (
              <li key={tool} className="[overflow-wrap:anywhere]">
                <code className="font-mono text-xs font-semibold">{tool}</code>{' '}
                <span className="text-muted">{needs}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

interface GroupProps {
  readonly title: string
  /** Where one would be written. */
  readonly none?: string
  readonly about?: string
  readonly children: React.ReactNode
}

function Group({ title, none, about, children }: GroupProps) {
  const words = useWords()
  const isEmpty = Array.isArray(children) && children.flat().length === 0
  return (
    <Card title={title}>
      {isEmpty && (
        <p className="text-sm text-muted">
          {words('layers.none')} <code className="font-mono text-xs">{none}</code>
        </p>
      )}
      {about && (
        <p className="mb-3 text-xs text-muted">
          <Inline text={about} />
        </p>
      )}
      <ul>{children}</ul>
    </Card>
  )
}
