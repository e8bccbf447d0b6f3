/** Notice that the policy has a newer version than the draft, with both and what to do. */

import { useWords } from '../i18n/words.ts'
import { Button } from '../kit/button.tsx'
import { TextDiff } from '../text/diff.tsx'
import { type Draft, type Members, rebased, textOf, type Wrong } from './policy-state.ts'

interface Props {
  readonly policy: Members
  readonly etag: string
  readonly draft: Draft
  /** Policy of the draft, or why it is not one. */
  readonly edited: Members | Wrong
  readonly onRebase: (draft: Draft, conflicts: readonly string[]) => void
  readonly onDiscard: () => void
}

export function Newer({ policy, etag, draft, edited, onRebase, onDiscard }: Props) {
  const words = useWords()
  return (
    <section
      aria-label={words('settings.policy.newer')}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-late-tint p-3"
    >
      <div role="alert">
        <h2 className="font-semibold text-late">{words('settings.policy.newer')}</h2>
      </div>
      <p className="text-sm">{words('settings.policy.newer.hint')}</p>
      {typeof edited !== 'string' && (
        <TextDiff
          left={textOf(policy)}
          right={textOf(edited)}
          label={words('settings.policy.newer.difference')}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          disabled={typeof edited === 'string'}
          onClick={() => {
            if (typeof edited === 'string') return
            const next = rebased(draft.base, edited, policy, etag)
            onRebase(next.draft, next.conflicts)
          }}
        >
          {words('settings.policy.rebase')}
        </Button>
        <Button onClick={onDiscard}>{words('settings.policy.take')}</Button>
      </div>
    </section>
  )
}
