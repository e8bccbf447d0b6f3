/** Versions of a file, a skill, an agent or a server: what differs from now, and going back. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { api, noteProblem } from '../../app/api.ts'
import { lazily } from '../../app/loaded.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { VersionsDialog } from '../../ui/versions.tsx'
import { FILES, RESOLVED } from './files.ts'
import type { Resource, ResourceKind } from './paths.ts'

const Diff = lazily(() => import('./diff.tsx'))
const ROUTES = { skill: api.skills, agent: api.agents, server: api.mcpServers } as const satisfies {
  readonly [K in Exclude<ResourceKind, 'file'>]: unknown
}

const versionsOf = ({ kind, name, layer }: Resource, cursor: string | undefined) =>
  kind === 'file'
    ? api.files.versions({ path: name, cursor } as never)
    : ROUTES[kind].versions(name, { layer, cursor } as never)

const compared = ({ kind, name, layer }: Resource, version: string) =>
  kind === 'file'
    ? api.files.compare(version, { path: name } as never)
    : ROUTES[kind].compare(name, version, { layer } as never)

const restored = ({ kind, name, layer }: Resource, version: string): Promise<unknown> =>
  kind === 'file'
    ? api.files.rollback({ path: name, version })
    : ROUTES[kind].rollback(name, { version }, { query: { layer } as never })

export function VersionsButton({ resource }: { readonly resource: Resource }) {
  const words = useWords()
  const { kind, name, layer } = resource
  return (
    <VersionsDialog
      title={
        kind === 'file'
          ? words('layers.versions.file', { path: name })
          : words('layers.versions.of', { name, layer })
      }
      name={['versions', kind, layer, name]}
      read={(cursor) => versionsOf(resource, cursor)}
      render={({ version }) => <OneVersion {...{ resource, version }} />}
    />
  )
}

function OneVersion({ resource, version }: { readonly resource: Resource; version: string }) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('layers:write')
  const { kind, name, layer } = resource
  const found = useQuery({
    queryKey: ['versions', kind, layer, name, version],
    queryFn: () => compared(resource, version),
  })
  const rolling = useMutation({
    mutationFn: () => restored(resource, version),
    onError: noteProblem,
    onSuccess: async () => {
      for (const queryKey of [['versions', kind, layer, name], FILES, RESOLVED])
        await cache.invalidateQueries({ queryKey })
    },
  })
  if (!found.data) {
    return found.error ? <Problem error={found.error} /> : <Loading />
  }
  const differing = found.data.files.filter(({ change }) => change !== 'same')
  return (
    <div className="grid gap-3 border-t border-line p-3">
      {differing.length === 0 && (
        <p className="text-sm text-muted">{words('layers.versions.same')}</p>
      )}
      <Suspense fallback={<Loading />}>
        {differing.map(({ path, text, other_text }) => (
          <div key={path} className="overflow-hidden rounded-lg border border-line">
            <p className="px-3 pt-2 font-mono text-xs font-semibold">{path}</p>
            <Diff
              {...{ path, left: other_text ?? '', right: text ?? '' }}
              leftLabel={words('layers.versions.now')}
              rightLabel={words('layers.versions.then')}
            />
          </div>
        ))}
      </Suspense>
      <Problem error={rolling.error} />
      {may && differing.length > 0 && (
        <div className="flex justify-end">
          <Button look="primary" busy={rolling.isPending} onClick={() => rolling.mutate()}>
            {words('layers.versions.back')}
          </Button>
        </div>
      )}
    </div>
  )
}
