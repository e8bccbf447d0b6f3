/** Steps of two runs in pairs: equal steps are folded, and the others show what differs. */

import { type MouseEvent, useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import type { Comparison, RunStep, StepPair } from '../log/compare.ts'
import { previewOf } from '../log/shape.ts'
import { Plain } from '../text/text.tsx'
import { CallDiff, Messages } from './compare-call.tsx'
import { Change, Section } from './compare-parts.tsx'

const idOf = ({ key }: StepPair): string => `step-${key.replace(' ', '-')}`

/** Returns the name of a pair of steps, counted from 1. */
function useStepName(): (pair: StepPair) => string {
  const words = useWords()
  return ({ left, right }) => {
    const [leftStep, rightStep] = [left?.step, right?.step]
    const step = leftStep ?? rightStep
    if (step === undefined) return words('compare.step.last')
    if (leftStep !== undefined && rightStep !== undefined && leftStep !== rightStep) {
      return words('compare.step.both', { left: leftStep + 1, right: rightStep + 1 })
    }
    return words('compare.step', { n: step + 1 })
  }
}

/** Returns a phrase that says how the steps of a pair differ. */
function usePartsOf(): (pair: StepPair) => string {
  const words = useWords()
  return ({ verdict, differs }) => {
    if (verdict === 'left' || verdict === 'right') return words(`compare.only.${verdict}`)
    return differs.map((part) => words(`compare.part.${part}`)).join(', ')
  }
}

/** Space above the step that the link shows. */
const MARGIN_PX = 16

/** Names the first step that differs, with a link to it. */
export function Summary({ comparison }: { readonly comparison: Comparison }) {
  const words = useWords()
  const stepName = useStepName()
  const partsOf = usePartsOf()
  const { first, hasSameEnd } = comparison
  if (!first) {
    return <p className="text-sm">{words(hasSameEnd ? 'compare.none' : 'compare.none.end')}</p>
  }
  const jump = (event: MouseEvent): void => {
    event.preventDefault()
    const element = document.getElementById(idOf(first))
    const tab = element?.closest('[data-compare]')
    if (!element || !tab) return
    // `scrollIntoView` would also scroll the page below its header.
    const distance = element.getBoundingClientRect().top - tab.getBoundingClientRect().top
    tab.scrollBy({ top: distance - MARGIN_PX })
    element.focus({ preventScroll: true })
  }
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <span>{words('compare.first', { step: stepName(first), parts: partsOf(first) })}</span>
      <a href={`#${idOf(first)}`} onClick={jump} className="text-accent hover:underline">
        {words('compare.jump')}
      </a>
    </p>
  )
}

/** Differences shown at first, and those of them whose texts are shown. */
const LISTED_STEPS = 100
const OPEN_STEPS = 20

interface Props {
  readonly comparison: Comparison
  /** IDs of the runs, from which large texts are read. */
  readonly left: string
  readonly right: string
}

export function StepsDiff({ comparison, left, right }: Props) {
  const words = useWords()
  const { steps, count } = comparison
  const [limit, setLimit] = useState(LISTED_STEPS)
  const changed = steps.filter(({ verdict }) => verdict !== 'same')
  const end = changed[limit]
  const groups = groupsOf(end ? steps.slice(0, steps.indexOf(end)) : steps)
  const opened = new Set(changed.slice(0, OPEN_STEPS))
  return (
    <Section
      title={words('compare.steps')}
      note={words('compare.steps.count', { n: count, of: steps.length })}
    >
      <p className="text-xs text-text-2">{words('compare.steps.rules')}</p>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {groups.map((pairs) =>
          pairs[0]?.verdict === 'same' ? (
            <EqualSteps key={pairs[0].key} pairs={pairs} />
          ) : (
            pairs.map((pair) => (
              <ChangedStep
                key={pair.key}
                {...{ pair, left, right }}
                isOpenAtFirst={opened.has(pair)}
              />
            ))
          ),
        )}
      </ol>
      {end && (
        <button
          type="button"
          onClick={() => setLimit(limit + LISTED_STEPS)}
          className="min-h-6 justify-self-start text-xs text-accent hover:underline"
        >
          {words('compare.steps.more', { n: changed.length - limit })}
        </button>
      )}
    </Section>
  )
}

/** Splits the steps into groups: neighbors that are equal, or that differ. */
function groupsOf(steps: readonly StepPair[]): readonly (readonly StepPair[])[] {
  const groups: StepPair[][] = []
  for (const pair of steps) {
    const last = groups.at(-1)
    const isSame = pair.verdict === 'same'
    if (last && (last[0]?.verdict === 'same') === isSame) last.push(pair)
    else groups.push([pair])
  }
  return groups
}

function EqualSteps({ pairs }: { readonly pairs: readonly StepPair[] }) {
  const words = useWords()
  const stepName = useStepName()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="grid min-w-0 rounded-lg bg-subtle">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 items-center gap-2 px-3 text-left text-sm text-text-2 -outline-offset-2 hover:text-text pointer-coarse:min-h-11"
      >
        <Icon name="check" size={14} />
        {words('compare.steps.equal', { n: pairs.length })}
      </button>
      {isOpen && (
        <ul className="grid gap-1 px-3 pb-2 text-xs text-text-2">
          {pairs.map((pair) => (
            <li key={pair.key} className="flex min-w-0 gap-3">
              <span className="w-24 shrink-0">{stepName(pair)}</span>
              <span className="min-w-0 truncate">
                <Plain text={pair.left ? outlineOf(pair.left) : ''} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Returns the tools and the beginning of the answer of a step. */
const outlineOf = ({ calls, answers }: RunStep): string =>
  [...calls.map(({ tool }) => tool), ...answers.map((text) => previewOf(text).slice(0, 200))].join(
    ' · ',
  )

interface StepProps extends Pick<Props, 'left' | 'right'> {
  readonly pair: StepPair
  readonly isOpenAtFirst: boolean
}

function ChangedStep({ pair, left, right, isOpenAtFirst }: StepProps) {
  const stepName = useStepName()
  const partsOf = usePartsOf()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const sides = { left, right }
  return (
    <li
      id={idOf(pair)}
      tabIndex={-1}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] rounded-lg border border-line"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 min-w-0 items-center gap-3 px-3 text-left text-sm -outline-offset-2 hover:bg-subtle pointer-coarse:min-h-11"
      >
        <span aria-hidden="true" className="w-3 text-text-3">
          {isOpen ? '▾' : '▸'}
        </span>
        <span className="font-medium">{stepName(pair)}</span>
        <span className="min-w-0 flex-1 text-text-2">{partsOf(pair)}</span>
        <Change change={CHANGES[pair.verdict]} />
      </button>
      {isOpen && (
        <div className="grid min-w-0 gap-3 border-t border-line p-3">
          <Messages {...{ pair, sides }} />
          {pair.calls.map((call) => (
            <CallDiff key={(call.left ?? call.right)?.key} {...{ call, sides }} />
          ))}
        </div>
      )}
    </li>
  )
}

const CHANGES = { same: 'changed', changed: 'changed', left: 'removed', right: 'added' } as const
