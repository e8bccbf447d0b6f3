/** One entry of the effective configuration: its origin, what it hides, and why it is not there. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../app/api.ts'
import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import type { ResourceKind } from './paths.ts'
import { VersionsButton } from './versions.tsx'

export type Origin = Schemas['Origin']

interface Props {
  readonly name: string
  readonly description: string
  readonly origin: Origin
  /** Absent: it has no versions. */
  readonly kind?: ResourceKind
  readonly marks?: readonly string[]
  readonly off?: boolean
  /** Why it cannot be used, as a sentence. */
  readonly why?: string | undefined
  readonly children?: ReactNode
}

/** Comes with Strata or with the request: no file of the tenant. */
export const isOwn = ({ kind }: Origin): boolean => kind !== 'builtin' && kind !== 'run'

export function EntryRow(props: Props) {
  const words = useWords()
  const { name, description, origin, kind, marks = [], off, why, children } = props
  return (
    <li className="grid gap-x-4 gap-y-1.5 border-t border-line py-2.5 text-sm first:border-0 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <code className="font-mono text-xs font-semibold [overflow-wrap:anywhere]">{name}</code>
          {marks.map((one) => (
            <Badge key={one}>{one}</Badge>
          ))}
          {off && <Badge tone="warn">{words('layers.switched.off')}</Badge>}
          {why !== undefined && !off && <Badge tone="bad">{words('layers.unavailable')}</Badge>}
        </p>
        <p className="line-clamp-2 text-muted [overflow-wrap:anywhere]">{description}</p>
        {why !== undefined && <p className="text-bad [overflow-wrap:anywhere]">{why}</p>}
        <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
          <Badge>{origin.kind}</Badge>
          {isOwn(origin) && <FileLink path={origin.key} />}
          {origin.shadows.map(({ key }) => (
            <span key={key} className="text-warn [overflow-wrap:anywhere]">
              {words('layers.shadows', { what: key })}
            </span>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-2 sm:justify-end">
        {kind && isOwn(origin) && <VersionsButton resource={{ kind, name, layer: origin.layer }} />}
        {children}
      </div>
    </li>
  )
}

export function FileLink({ path }: { readonly path: string }) {
  return (
    <Link
      to="/layers/$"
      params={{ _splat: path }}
      className="font-mono text-accent underline [overflow-wrap:anywhere]"
    >
      {path}
    </Link>
  )
}
