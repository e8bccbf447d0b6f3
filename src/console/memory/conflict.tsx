/** A text that is not saved beside the file that another client has changed or deleted. */

import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { LazyDiff } from './lazy-diff.tsx'
import { hasConflict } from './state.ts'
import type { useEditing } from './use-file.ts'

interface Props {
  readonly state: ReturnType<typeof useEditing>
  readonly isMissing: boolean
}

export function Conflict({ state, isMissing }: Props) {
  const words = useWords()
  const { editing, save, onOverwrite, onDiscard } = state
  const { base, draft } = editing
  if (!draft || !(isMissing || hasConflict(editing))) return null
  return (
    <section
      role="alert"
      aria-label={words(isMissing ? 'memory.conflict.deleted' : 'memory.conflict')}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg bg-late-tint p-3"
    >
      <h3 className="text-sm font-medium text-late">
        {words(isMissing ? 'memory.conflict.deleted' : 'memory.conflict')}
      </h3>
      <p className="text-sm">
        {words(isMissing ? 'memory.conflict.deleted.hint' : 'memory.conflict.hint')}
      </p>
      {!isMissing && (
        <LazyDiff left={base.text} right={draft.text} label={words('memory.conflict.diff')} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={save.isPending} onClick={onOverwrite}>
          {words('memory.conflict.overwrite')}
        </Button>
        <Button onClick={onDiscard}>
          {words(isMissing ? 'memory.discard' : 'memory.conflict.take')}
        </Button>
      </div>
    </section>
  )
}
