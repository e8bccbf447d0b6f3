/** Difference of two texts, loaded when a version or a conflict first needs it. */

import { type ComponentProps, lazy, Suspense } from 'react'
import { loaded } from '../data/lazy-part.ts'
import { Loading } from '../kit/notice.tsx'
import type { TextDiff } from '../text/diff.tsx'

const Diff = lazy(async () => {
  const part = await loaded(() => import('../text/diff.tsx'))
  return { default: part.TextDiff }
})

export function LazyDiff(props: ComponentProps<typeof TextDiff>) {
  return (
    <Suspense fallback={<Loading />}>
      <Diff {...props} />
    </Suspense>
  )
}
