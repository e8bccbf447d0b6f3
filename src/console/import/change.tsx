/** Change of one file by an import: its new text, beside the text that it replaces. */

import { useQuery } from '@tanstack/react-query'
import { api, ProblemError } from '../data/api.ts'
import { useWords } from '../i18n/words.ts'
import { Loading, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { Code } from '../text/text.tsx'
import type { Row } from './state.ts'

export function Change({ row: { action, path, from, name, etag } }: { readonly row: Row }) {
  const words = useWords()
  const { data, error, isPending, refetch } = useQuery({
    // The target's ETag belongs to the key, because it changes when the plan is performed.
    queryKey: ['import', 'change', action, path, from, etag],
    queryFn: async () => ({
      next: await textOf(from),
      old: action === 'replace' ? await textOf(path) : null,
    }),
  })
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (isPending) return <Loading />
  const { next, old } = data
  if (next === undefined || old === undefined)
    return <p className="text-xs text-text-2">{words('import.binary')}</p>
  if (old === null) return <Code label={name} text={next} />
  return <TextDiff left={old} right={next} label={name} />
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Returns the text of a file, empty if there is none; undefined if it is not UTF-8. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const file = await api.files.get(path)
    return decoder.decode(file?.bytes)
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return ''
    if (error instanceof TypeError) return undefined
    throw error
  }
}
