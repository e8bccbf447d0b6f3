/** Files of an agent, a skill, or a server before and after a change. */

import { useQuery } from '@tanstack/react-query'
import { api, ProblemError } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { Plain } from '../text/text.tsx'
import { type Entry, type Versioned, versionAt } from './state.ts'

interface File {
  readonly path: string
  /** Text before and after the change; null if the file is absent or not UTF-8 text. */
  readonly previousText: string | null
  readonly text: string | null
}

/** Number of versions per request. */
const PAGE = 100
const APIS = { agent: 'agents', skill: 'skills', server: 'mcpServers' } as const

/** Returns the changed files; undefined if the version is no longer stored. */
async function readChanges({ kind, name, layer, version }: Entry): Promise<File[] | undefined> {
  const versions = api[APIS[kind as Versioned]]
  const stored = await versionAt(versions.versions(name, { layer, limit: PAGE }), version)
  if (!stored) return undefined
  const { previous } = stored
  if (previous !== undefined) {
    const { files } = await versions.compare(name, version, { layer, with: previous })
    return files
      .filter(({ change }) => change !== 'same')
      .map(({ path, text, other_text }) => ({ path, previousText: other_text, text }))
  }
  const { contents } = await versions.version(name, version, { layer })
  return contents.map(({ path, text }) => ({ path, previousText: null, text }))
}

export default function Changes({ entry }: { readonly entry: Entry }) {
  const words = useWords()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['audit', 'changes', entry.version],
    queryFn: async () => (await readChanges(entry)) ?? null,
    // A stored version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isGone = data === null || (error instanceof ProblemError && error.status === 404)
  if (isGone) return <p className="text-sm text-text-2">{words('audit.changes.gone')}</p>
  if (isPending) return <Loading />
  if (!data) return <Problem error={error} onRetry={() => void refetch()} />
  return (
    <section aria-label={words('audit.changes')} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="font-semibold">{words('audit.changes')}</h3>
      {data.length === 0 && <p className="text-sm text-text-2">{words('audit.changes.none')}</p>}
      {data.map(({ path, previousText, text }) => (
        <div key={path} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <h4 className="font-mono text-xs [overflow-wrap:anywhere]">
            <Plain text={path} />
          </h4>
          <TextDiff
            left={previousText ?? ''}
            right={text ?? ''}
            label={words('audit.changes.of', { path })}
          />
        </div>
      ))}
    </section>
  )
}
