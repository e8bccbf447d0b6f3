/** Transcript of a run, shown as in its conversation; a subagent opens its own page. */

import { useNavigate } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Loading } from '../kit/notice.tsx'
import type { Tree } from '../log/shape.ts'
import type { Context } from '../transcript/context.ts'
import { useUnfoldedParts } from '../transcript/open-sections.ts'
import { RowView } from '../transcript/row-view.tsx'
import { rowsOfRun } from '../transcript/rows.ts'
import { pendingIn } from '../transcript/subagents.ts'
import { Transcript } from '../transcript/transcript.tsx'

export function RunTranscript({ id, tree }: { readonly id: string; readonly tree: Tree }) {
  const words = useWords()
  const navigate = useNavigate()
  const { unfoldedAs } = useUnfoldedParts()
  const view = tree.runs[id]
  if (!view) return <Loading />
  const context: Context = {
    ...{ tree, panel: undefined, keysFor: pendingIn(tree, id)[0] },
    onOpen: (run) => void navigate({ to: '/runs/$run', params: { run } }),
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Transcript
        label={words('run.tab.transcript')}
        rows={rowsOfRun(view, { tree, unfoldedAs })}
        render={(row) => <RowView row={row} context={context} />}
      />
    </div>
  )
}
