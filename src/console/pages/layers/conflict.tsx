/** Somebody else was faster: theirs, the text that both began from, and mine, to be settled here. */

import { Suspense } from 'react'
import { lazily } from '../../app/loaded.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import type { Content } from './files.ts'

const Diff = lazily(() => import('./diff.tsx'))

interface Props {
  readonly path: string
  /** Null: they deleted it. */
  readonly theirs: Content | null
  readonly base: string
  readonly mine: string
  readonly busy: boolean
  readonly onChange: (text: string) => void
  readonly onSave: () => void
  readonly onTake: () => void
  readonly onBack: () => void
}

export function Conflict(props: Props) {
  const words = useWords()
  const { path, theirs, base, mine, busy } = props
  const their = theirs?.text ?? ''
  return (
    <div className="h-full min-h-0 overflow-y-auto p-3">
      <p role="alert" className="mb-3 rounded-lg bg-warn-soft p-3 text-sm text-warn">
        {words(theirs ? 'layers.conflict' : 'layers.conflict.gone')}
      </p>
      <div className="mb-4 flex flex-wrap gap-2">
        <Button look="primary" busy={busy} onClick={props.onSave}>
          {words('layers.conflict.save')}
        </Button>
        <Button onClick={props.onTake}>{words('layers.conflict.take')}</Button>
        <Button look="quiet" onClick={props.onBack}>
          {words('layers.conflict.back')}
        </Button>
      </div>
      <Suspense fallback={<Loading />}>
        <Card title={words('layers.conflict.mine')}>
          <Diff
            {...{ path, left: their, right: mine, onChange: props.onChange }}
            leftLabel={words('layers.theirs')}
            rightLabel={words('layers.mine')}
          />
        </Card>
        <Card title={words('layers.conflict.theirs')}>
          <Diff
            {...{ path, left: base, right: their }}
            leftLabel={words('layers.base')}
            rightLabel={words('layers.theirs')}
          />
        </Card>
      </Suspense>
    </div>
  )
}
