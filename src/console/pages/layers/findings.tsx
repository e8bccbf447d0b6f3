/** Findings about a file as a list; each leads to its line. */

import { useWords } from '../../app/words.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Finding } from './check.ts'

const TONE_OF = { note: 'neutral', warning: 'warn', error: 'bad' } as const

interface Props {
  readonly findings: readonly Finding[]
  readonly onJump?: (line: number) => void
}

export function Findings({ findings, onJump }: Props) {
  const words = useWords()
  if (findings.length === 0) return null
  return (
    <ul
      aria-label={words('layers.findings')}
      className={`shrink-0 border-t border-line bg-surface text-sm ${onJump ? 'max-h-48 overflow-y-auto' : ''}`}
    >
      {findings.map(({ code, severity, line, message, hint }) => (
        <li key={`${code} ${line} ${message}`} className="border-b border-line last:border-0">
          <button
            type="button"
            disabled={!onJump}
            onClick={() => onJump?.(line ?? 1)}
            className="flex w-full flex-wrap items-baseline gap-2 px-3 py-1.5 text-left enabled:hover:bg-raised"
          >
            <Badge tone={TONE_OF[severity]}>{words(`layers.${severity}`)}</Badge>
            {line !== null && <span className="text-xs text-muted tabular-nums">:{line}</span>}
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              {message}
              {hint !== null && <code className="ml-1 font-mono text-xs"> → {hint}</code>}
            </span>
            <code className="font-mono text-xs text-muted">{code}</code>
          </button>
        </li>
      ))}
    </ul>
  )
}
