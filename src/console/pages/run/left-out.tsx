/** Parts of the run that a run like it cannot be given, each with the reason. */

import type { RunRequest } from './request.ts'

export function LeftOut({ of }: { readonly of: RunRequest['left_out'] }) {
  return (
    <ul className="grid gap-1 text-sm">
      {of.map(({ member, why }) => (
        <li key={`${member} ${why}`} className="[overflow-wrap:anywhere]">
          <code className="font-mono text-xs font-semibold">{member}</code>{' '}
          <span className="text-muted">{why}</span>
        </li>
      ))}
    </ul>
  )
}
