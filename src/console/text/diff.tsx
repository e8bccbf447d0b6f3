/**
 * Difference of two texts. Narrow pages show the lines of both texts in one column, wide pages in
 * two. Signs and colors distinguish the lines, and stronger colors mark the words that differ.
 */

import { useMemo, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { useMedia } from '../kit/wide.ts'
import { type Block, blocksOf, diffTexts, type Line, type LinePair } from './line-diff.ts'
import { Plain } from './text.tsx'

const twoColumns = matchMedia('(min-width: 900px)')

/** Number of line pairs shown at first; a click shows the rest. */
const SHOWN_PAIRS = 400

interface Props {
  readonly left: string
  readonly right: string
  readonly label: string
}

export function TextDiff({ left, right, label }: Props) {
  const words = useWords()
  const hasTwoColumns = useMedia(twoColumns)
  const [isWhole, setWhole] = useState(false)
  const { pairs, isCoarse } = useMemo(() => diffTexts(left, right), [left, right])
  const blocks = useMemo(
    () => blocksOf(isWhole ? pairs : pairs.slice(0, SHOWN_PAIRS)),
    [pairs, isWhole],
  )
  const Lines = hasTwoColumns ? SideBySide : Unified
  return (
    <div className="grid min-w-0 gap-1">
      <div
        tabIndex={0}
        role="group"
        aria-label={label}
        dir="auto"
        className="max-h-[60dvh] overflow-auto rounded-md border border-line bg-canvas py-1 font-mono text-xs leading-5 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {blocks.map((block) => (
          <Lines key={keyOf(block.pairs[0])} block={block} />
        ))}
      </div>
      {isCoarse && <p className="text-xs text-text-2">{words('diff.coarse')}</p>}
      {!isWhole && pairs.length > SHOWN_PAIRS && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="justify-self-start text-xs text-accent hover:underline"
        >
          {words('chat.lines', { n: pairs.length })}
        </button>
      )}
    </div>
  )
}

const keyOf = (pair: LinePair | undefined): string =>
  `${pair?.left?.number ?? ''} ${pair?.right?.number ?? ''}`

interface BlockProps {
  readonly block: Block
}

function Unified({ block: { pairs, isFolded } }: BlockProps) {
  if (isFolded) return <Fold pairs={pairs} render={(lines) => <UnifiedLines pairs={lines} />} />
  return <UnifiedLines pairs={pairs} />
}

/** Shows the removed lines of each change before the added lines. */
function UnifiedLines({ pairs }: { readonly pairs: readonly LinePair[] }) {
  const changes = pairs.reduce<LinePair[][]>((groups, pair) => {
    const last = groups.at(-1)
    if (last && !pair.isSame && last[0]?.isSame === false) last.push(pair)
    else groups.push([pair])
    return groups
  }, [])
  return changes.map((group) => (
    <div key={keyOf(group[0])}>
      {group.map((pair) => pair.left && <LineView key={keyOf(pair)} side="left" {...{ pair }} />)}
      {group.map(
        (pair) =>
          !pair.isSame && pair.right && <LineView key={keyOf(pair)} side="right" {...{ pair }} />,
      )}
    </div>
  ))
}

function SideBySide({ block: { pairs, isFolded } }: BlockProps) {
  if (isFolded) return <Fold pairs={pairs} render={(lines) => <PairLines pairs={lines} />} />
  return <PairLines pairs={pairs} />
}

function PairLines({ pairs }: { readonly pairs: readonly LinePair[] }) {
  return pairs.map((pair) => (
    <div key={keyOf(pair)} className="grid grid-cols-2 divide-x divide-line">
      <LineView pair={pair} side="left" />
      <LineView pair={pair} side="right" />
    </div>
  ))
}

interface FoldProps {
  readonly pairs: readonly LinePair[]
  readonly render: (pairs: readonly LinePair[]) => React.ReactNode
}

/** Shows the number of equal lines; a click shows the lines. */
function Fold({ pairs, render }: FoldProps) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return render(pairs)
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={() => setOpen(true)}
      className="block w-full bg-subtle px-3 text-left font-sans text-text-2 -outline-offset-2 hover:bg-sunken"
    >
      {words('diff.equal', { n: pairs.length })}
    </button>
  )
}

const LOOKS = {
  left: { sign: '−', line: 'bg-removed', word: 'bg-removed-word' },
  right: { sign: '+', line: 'bg-added', word: 'bg-added-word' },
} as const

interface LineProps {
  readonly pair: LinePair
  readonly side: 'left' | 'right'
}

function LineView({ pair, side }: LineProps) {
  const line: Line | undefined = pair[side]
  const { sign, line: color, word } = LOOKS[side]
  if (!line) return <div className="bg-subtle" />
  const Words = side === 'left' ? 'del' : 'ins'
  return (
    <div className={`flex min-w-0 gap-2 px-2 ${pair.isSame ? '' : color}`}>
      <span className="w-3 shrink-0 text-center select-none">{pair.isSame ? '' : sign}</span>
      <span className="min-w-0 flex-1">
        {line.pieces.map(({ text, isChanged }, at) =>
          isChanged ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change.
            <Words key={at} className={`rounded-sm no-underline ${word}`}>
              <Plain text={text} />
            </Words>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change.
            <Plain key={at} text={text} />
          ),
        )}
      </span>
    </div>
  )
}
