/**
 * Archives and restores conversations. An archived conversation shows a notice instead of its
 * composer.
 */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from '../data/api.ts'
import { useDraft } from '../data/draft.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { Problem } from '../kit/notice.tsx'

type Session = Schemas['Session']

/** Archives a conversation, or restores an archived one. */
export function useArchive({ id, archived }: Session) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.sessions.update(id, { archived: !archived }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['sessions'] }),
  })
}

export function ArchivedNotice({ session }: { readonly session: Session }) {
  const words = useWords()
  const may = useMay('sessions:write')
  const restore = useArchive(session)
  const { text } = useDraft(session.id)
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-2 px-4 pt-2 pb-3 sm:px-6">
      <Problem error={restore.error} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-late-tint px-3 py-2 text-sm text-late">
        <p role="status" className="min-w-48 flex-1">
          {words('sessions.archived')} {text !== '' && words('sessions.archived.draft')}
        </p>
        {may && (
          <Button busy={restore.isPending} onClick={() => restore.mutate()} className="text-text">
            {words('sessions.unarchive')}
          </Button>
        )}
      </div>
    </div>
  )
}
