/** Two texts beside one another, or one into the other where there is no room. Loaded when needed. */

import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { say } from '../../app/words.ts'
import { extensionsFor, rootIn } from './code-mirror.ts'
import { languageOfPath } from './paths.ts'

interface Props {
  readonly path: string
  readonly left: string
  readonly right: string
  readonly leftLabel: string
  readonly rightLabel: string
  /** The right one can be edited, and takes what the left one has. */
  readonly onChange?: (text: string) => void
}

const WIDE = '(min-width: 60rem)'
const COLLAPSE = { margin: 3, minSize: 6 }

export default function Diff(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const now = useRef(props)
  now.current = props
  const { left, right, onChange } = props
  const editable = onChange !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed makes no new view.
  useEffect(() => {
    const root = rootIn(host.current!)
    const view = viewOf(root, now.current, (text) => now.current.onChange?.(text))
    return () => view.destroy()
  }, [left, editable, editable || right])
  return (
    <div className="min-w-0">
      <p className="grid grid-cols-2 gap-2 border-b border-line px-3 py-1.5 text-xs text-muted">
        <span>{props.leftLabel}</span>
        <span>{props.rightLabel}</span>
      </p>
      <div ref={host} className="max-h-[50dvh] overflow-auto" />
    </div>
  )
}

function viewOf(root: ShadowRoot, props: Props, onChange: (text: string) => void) {
  const { path, left, right, leftLabel, rightLabel } = props
  const language = languageOfPath(path)
  const editable = props.onChange !== undefined
  const follow = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange(update.state.doc.toString())
  })
  const phrases = EditorState.phrases.of(phrasesNow())
  const shown = [extensionsFor(language, rightLabel, !editable), follow, phrases]
  if (!matchMedia(WIDE).matches) {
    const merge = unifiedMergeView({
      original: left,
      mergeControls: editable,
      collapseUnchanged: COLLAPSE,
    })
    return new EditorView({ root, parent: root, doc: right, extensions: [shown, merge] })
  }
  return new MergeView({
    root,
    parent: root,
    a: { doc: left, extensions: [extensionsFor(language, leftLabel, true), phrases] },
    b: { doc: right, extensions: shown },
    ...(editable && { revertControls: 'a-to-b' as const }),
    collapseUnchanged: COLLAPSE,
  })
}

/** The words of the view itself, in the language of the reader. */
const phrasesNow = (): Record<string, string> => ({
  Accept: say('layers.chunk.mine'),
  Reject: say('layers.chunk.theirs'),
  'Revert this chunk': say('layers.chunk.theirs'),
  '$ unchanged lines': say('layers.chunk.same', { n: '$' }),
})
