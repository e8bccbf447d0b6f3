/**
 * Comparison after another person has saved the same file: both texts side by side, and the result,
 * which can be edited and saved.
 */

import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { loaded } from '../data/lazy-part.ts'
import { useSession } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Loading, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { exactTime } from '../text/format.ts'
import { Plain } from '../text/text.tsx'
import type { Content } from './content.ts'
import { dropFileDraft, fileDraftOf, keepFileDraft } from './drafts.ts'
import type { WriteRoute } from './resources.ts'
import type { Check } from './use-check.ts'
import type { Editing } from './use-editing.ts'
import { FILES } from './use-files.ts'

const Editor = lazy(() => loaded(() => import('../editor/editor.tsx')))

interface Props {
  readonly path: string
  readonly editing: Editing
  readonly theirs: Content | null
  readonly route: WriteRoute
  readonly check: Check
}

export function Conflict({ path, editing, theirs, route, check }: Props) {
  const words = useWords()
  const { start, text, save, become } = editing
  const [mine] = useState(() => fileDraftOf(path)?.text ?? text.current)
  const [result, setResult] = useState(() => fileDraftOf(path)?.result ?? mine)
  /** Number of the result's editor; a text that replaces the result has another editor. */
  const [revision, setRevision] = useState(0)
  const draft = fileDraftOf(path)
  const at = draft?.at ?? ''
  const keep = (next: string): void => {
    setResult(next)
    const draftText = { text: mine, etag: start.etag, at: at || new Date().toISOString() }
    keepFileDraft(path, { ...draftText, result: next })
  }
  const replace = (next: string): void => {
    keep(next)
    setRevision(revision + 1)
  }
  const continueEditing = (): void => {
    const etag = theirs?.etag ?? null
    if (theirs && result === theirs.text) dropFileDraft(path)
    else keepFileDraft(path, { text: result, etag, at: new Date().toISOString() })
    const stored = theirs?.text ?? undefined
    become({ text: result, stored, etag, revision: start.revision + 1 })
  }
  const theirText = theirs?.text ?? ''
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        <p role="alert" className="rounded-lg bg-late-tint px-3 py-2 text-sm text-late">
          {words(theirs ? 'layers.conflict' : 'layers.conflict.deleted')}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            busy={save.isPending}
            onClick={() => save.mutate({ route, result })}
          >
            {words('layers.conflict.save')}
          </Button>
          {theirs?.text != null && (
            <Button onClick={() => replace(theirText)}>{words('layers.conflict.take')}</Button>
          )}
          <Button onClick={() => replace(mine)}>{words('layers.conflict.keep')}</Button>
          <Button look="quiet" onClick={continueEditing}>
            {words('layers.conflict.back')}
          </Button>
        </div>
        <Problem error={save.error} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <section aria-label={words('layers.conflict.texts')} className="grid content-start gap-1">
            <div className="grid gap-x-4 text-sm min-[900px]:grid-cols-2">
              <Head name={words('layers.conflict.mine')}>
                <MyName at={at} />
              </Head>
              <Head name={words('layers.conflict.theirs')}>
                <TheirName route={route} text={theirs?.text ?? undefined} />
              </Head>
            </div>
            <TextDiff left={mine} right={theirText} label={words('layers.conflict.texts')} />
          </section>
          <section
            aria-label={words('layers.conflict.result')}
            className="grid content-start gap-1 text-sm"
          >
            <Head name={words('layers.conflict.result')}>
              {words('layers.conflict.result.hint')}
            </Head>
            <div className="h-96 overflow-hidden rounded-md border border-line">
              <Suspense fallback={<Loading />}>
                <Editor
                  key={revision}
                  path={path}
                  label={words('layers.conflict.result')}
                  text={result}
                  isReadOnly={false}
                  {...(check.run && { check: check.run })}
                  onChange={keep}
                  onSave={() => save.mutate({ route, result: fileDraftOf(path)?.result ?? result })}
                />
              </Suspense>
            </div>
          </section>
        </div>
      </div>
    </div>
  )
}

function Head({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <p className="min-w-0 [overflow-wrap:anywhere]">
      <span className="font-semibold">{name}</span>{' '}
      <span className="text-xs text-text-2">{children}</span>
    </p>
  )
}

function MyName({ at }: { readonly at: string }) {
  const words = useWords()
  const { session } = useSession()
  const name = session?.key_name ?? session?.key_id ?? ''
  return <Plain text={words('layers.conflict.author', { name, time: at && exactTime(at) })} />
}

interface TheirProps {
  readonly route: WriteRoute
  readonly text: string | undefined
}

/** Author and time of the stored text, if a version has recorded this text. */
function TheirName({ route, text }: TheirProps) {
  const words = useWords()
  const { session } = useSession()
  const { data } = useQuery({
    queryKey: [FILES, 'author', route, text],
    enabled: text !== undefined,
    queryFn: () => authorOf(route, text ?? ''),
  })
  if (!data) return words('layers.conflict.unknown')
  const isSameKey = data.by === session?.key_id && session?.key_name
  const name = isSameKey ? session.key_name : data.by
  return (
    <Plain
      text={words('layers.conflict.author', { name: name ?? '', time: exactTime(data.created_at) })}
    />
  )
}

async function authorOf(route: WriteRoute, text: string): Promise<Schemas['Version'] | null> {
  // Browsers compute digests in secure contexts only.
  if (route.by === 'file' || !globalThis.crypto?.subtle) return null
  const query = { layer: route.layer, limit: 1 }
  const { data } = await (route.by === 'agent'
    ? api.agents.versions(route.name, query)
    : api.skills.versions(route.name, query))
  const digest = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)),
  )
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const [latest] = data
  return latest?.files.some((file) => file.digest === hex) ? latest : null
}
