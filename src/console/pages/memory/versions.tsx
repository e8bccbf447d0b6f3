/** Earlier texts of a file of memory: compared with the one of now, and written again. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { api, noteProblem } from '../../app/api.ts'
import { lazily } from '../../app/loaded.ts'
import { useMay } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Loading, Problem } from '../../ui/notice.tsx'
import { VersionsDialog } from '../../ui/versions.tsx'
import { MEMORY } from './names.ts'

const Diff = lazily(() => import('../layers/diff.tsx'))

export function MemoryVersions({ path }: { readonly path: string }) {
  const words = useWords()
  return (
    <VersionsDialog
      title={words('layers.versions.file', { path })}
      name={[...MEMORY, 'versions', path]}
      read={(cursor) => api.memory.versions({ path, cursor } as never)}
      render={({ version }) => <OneVersion {...{ path, version }} />}
    />
  )
}

/** All of its lines: one answer has so many at the most. */
async function wholeOf(path: string): Promise<{ readonly text: string; readonly etag: string }> {
  const texts: string[] = []
  for (let start = 1; ; ) {
    const { text, etag, more, lines } = await api.memory.get(path, { start })
    texts.push(text)
    if (!more) return { text: texts.join('\n'), etag }
    start = lines.to + 1
  }
}

/** An answer has no line's end behind the last line. */
const trimmed = (text: string): string => text.replace(/\n$/, '')

function OneVersion({ path, version }: { readonly path: string; readonly version: string }) {
  const words = useWords()
  const cache = useQueryClient()
  const may = useMay('memory:write')
  const found = useQuery({
    queryKey: [...MEMORY, 'versions', path, version],
    queryFn: async () => {
      const [then, now] = await Promise.all([api.memory.version(version, { path }), wholeOf(path)])
      return { then: then.contents[0]?.text, now }
    },
  })
  const rolling = useMutation({
    mutationFn: ({ content, etag }: { readonly content: string; readonly etag: string }) =>
      api.memory.put(path, { content }, { ifMatch: `"${etag}"` }),
    onError: noteProblem,
    // Also on a 412: what differs from now is not what was shown.
    onSettled: () => cache.invalidateQueries({ queryKey: MEMORY }),
  })
  if (!found.data) return found.error ? <Problem error={found.error} /> : <Loading />
  const { then, now } = found.data
  const differs = typeof then === 'string' && trimmed(then) !== trimmed(now.text)
  return (
    <div className="grid gap-3 border-t border-line p-3">
      {typeof then !== 'string' && (
        <p className="text-sm text-muted">{words('memory.versions.deleted')}</p>
      )}
      {typeof then === 'string' && !differs && (
        <p className="text-sm text-muted">{words('layers.versions.same')}</p>
      )}
      {differs && (
        <Suspense fallback={<Loading />}>
          <div className="overflow-hidden rounded-lg border border-line">
            <Diff
              {...{ path, left: now.text, right: trimmed(then) }}
              leftLabel={words('layers.versions.now')}
              rightLabel={words('layers.versions.then')}
            />
          </div>
        </Suspense>
      )}
      <Problem error={rolling.error} />
      {may && differs && then !== '' && (
        <div className="flex justify-end">
          <Button
            look="primary"
            busy={rolling.isPending}
            onClick={() => rolling.mutate({ content: then, etag: now.etag })}
          >
            {words('layers.versions.back')}
          </Button>
        </div>
      )}
    </div>
  )
}
