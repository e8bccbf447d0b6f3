/** Switches of skills and servers, and the test of a server. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, noteProblem } from '../../app/api.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { isOwn, type Origin } from './entry.tsx'
import { FILES, RESOLVED } from './files.ts'

interface Props {
  readonly kind: 'skill' | 'server'
  readonly name: string
  readonly enabled: boolean
  readonly origin: Origin
  /** The layer that is written; empty: that of the entry. */
  readonly into: string
}

export function Switch({ kind, name, enabled, origin, into }: Props) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('layers:write')
  const layer = into === '' ? origin.layer : into
  const [wanted, setWanted] = useState<boolean>()
  const switching = useMutation({
    mutationFn: async (to: boolean): Promise<unknown> => {
      const options = { query: { layer } as never }
      return kind === 'skill'
        ? api.skills.update(name, { enabled: to }, options)
        : api.mcpServers.update(name, { enabled: to } as never, options)
    },
    onError: noteProblem,
    onSuccess: async (_, to) => {
      for (const queryKey of [RESOLVED, FILES]) await cache.invalidateQueries({ queryKey })
      setWanted(to)
    },
  })
  if (!may || (into === '' && !isOwn(origin))) return null
  const isStill = switching.isSuccess && wanted !== undefined && wanted !== enabled
  return (
    <div className="grid max-w-72 justify-items-end gap-2">
      <button
        type="button"
        role="switch"
        aria-checked={enabled}
        aria-label={`${words(enabled ? 'layers.switch.off' : 'layers.switch.on')}: ${name}`}
        title={words(enabled ? 'layers.switch.off' : 'layers.switch.on')}
        disabled={switching.isPending}
        onClick={() => switching.mutate(!enabled)}
        className={`relative h-6 w-10 rounded-full border transition-colors disabled:opacity-50 ${enabled ? 'border-accent bg-accent' : 'border-line-strong bg-raised'}`}
      >
        <span
          aria-hidden="true"
          className={`absolute top-0.5 size-4.5 rounded-full transition-all ${enabled ? 'left-4.5 bg-accent-text' : 'left-0.5 bg-line-strong'}`}
        />
      </button>
      <Problem error={switching.error} />
      {isStill && (
        <p role="status" className="text-right text-xs text-warn">
          {words('layers.switch.same', { layer })}
        </p>
      )}
    </div>
  )
}

export function ServerTest({ name, origin }: { readonly name: string; readonly origin: Origin }) {
  const words = useWords()
  const may = useMay('layers:write')
  const [open, setOpen] = useState(false)
  const testing = useMutation({
    mutationFn: () => api.mcpServers.test(name, { query: { layer: origin.layer } as never }),
    onError: noteProblem,
  })
  if (!may || !isOwn(origin)) return null
  const start = (): void => {
    setOpen(true)
    testing.mutate()
  }
  return (
    <>
      <Button icon="play" onClick={start}>
        {words('layers.test')}
      </Button>
      <Dialog
        title={`${words('layers.test')}: ${name}`}
        open={open}
        onClose={() => setOpen(false)}
        wide
      >
        {testing.isPending && <Loading />}
        <Problem error={testing.error} onRetry={() => testing.mutate()} />
        {testing.data && <Outcome outcome={testing.data} />}
      </Dialog>
    </>
  )
}

type Probed = Awaited<ReturnType<typeof api.mcpServers.test>>

function Outcome({ outcome }: { readonly outcome: Probed }) {
  const words = useWords()
  const { reachable, error, latency_ms, protocol_version, tools, missing_secrets } = outcome
  return (
    <div className="grid gap-3 text-sm">
      <p role="status" className={reachable ? 'text-good' : 'text-bad [overflow-wrap:anywhere]'}>
        {reachable
          ? words('layers.test.ok', {
              ms: Math.round(latency_ms),
              version: protocol_version ?? '–',
              n: tools.length,
            })
          : words('layers.test.failed', { why: error ?? '–' })}
      </p>
      {missing_secrets.map((secret) => (
        <p key={secret} className="text-warn">
          {words('layers.secret.missing', { server: outcome.name, name: secret })}
        </p>
      ))}
      {outcome.warnings?.map(({ code, message }) => (
        <p key={`${code} ${message}`} className="text-warn [overflow-wrap:anywhere]">
          {message}
        </p>
      ))}
      <ul className="grid gap-1.5">
        {tools.map((tool) => (
          <li key={tool.name} className="[overflow-wrap:anywhere]">
            <Badge>{tool.name}</Badge> <span className="text-muted">{tool.description}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
