/** Differences of one step: messages, answer, and calls with arguments and results. */

import { Link } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../kit/icons.tsx'
import type { CallPair, StepPair } from '../log/compare.ts'
import type { Call, LogText } from '../log/shape.ts'
import { TextDiff } from '../text/diff.tsx'
import { indented, membersText } from '../text/json.ts'
import { Plain } from '../text/text.tsx'
import { Cut, MediaOf, useWhole } from '../transcript/body.tsx'
import { Change } from './compare-parts.tsx'

/** IDs of the runs, from which large texts are read. */
interface Sides {
  readonly left: string
  readonly right: string
}

/** Shows the messages before the step and the texts of the answer, where they differ. */
export function Messages({ pair, sides }: { readonly pair: StepPair; readonly sides: Sides }) {
  const words = useWords()
  const { left, right, differs, verdict } = pair
  const isShown = (part: 'received' | 'answer'): boolean =>
    verdict !== 'changed' || differs.includes(part)
  const received = zipped(
    (left?.received ?? []).map(({ text }) => text),
    (right?.received ?? []).map(({ text }) => text),
  )
  const answers = zipped(left?.answers ?? [], right?.answers ?? [])
  return (
    <>
      {isShown('received') && <TextPairs word="received" pairs={received} sides={sides} />}
      {isShown('answer') && <TextPairs word="answer" pairs={answers} sides={sides} />}
      {pair.calls.length === 0 && received.length + answers.length === 0 && (
        <p className="text-sm text-text-2">{words('compare.equal')}</p>
      )}
    </>
  )
}

type TextPair = readonly [left: LogText | undefined, right: LogText | undefined]

const zipped = (left: readonly LogText[], right: readonly LogText[]): readonly TextPair[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [left[at], right[at]])

interface PairsProps {
  readonly word: 'received' | 'answer'
  readonly pairs: readonly TextPair[]
  readonly sides: Sides
}

function TextPairs({ word, pairs, sides }: PairsProps) {
  const words = useWords()
  return pairs.map(([left, right], at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a step never change.
    <BodyDiff key={at} {...{ left, right, sides }} label={words(`compare.part.${word}`)} />
  ))
}

export function CallDiff({ call, sides }: { readonly call: CallPair; readonly sides: Sides }) {
  const { left, right, differs } = call
  if (left && right && differs.includes('tool')) {
    return (
      <>
        <CallDiff call={{ left, right: undefined, differs: [] }} sides={sides} />
        <CallDiff call={{ left: undefined, right, differs: [] }} sides={sides} />
      </>
    )
  }
  const tool = (left ?? right)?.tool ?? ''
  const isPair = left !== undefined && right !== undefined
  if (isPair && differs.length === 0) return <EqualCall tool={tool} />
  const isShown = (part: 'arguments' | 'result'): boolean => !isPair || differs.includes(part)
  return (
    <section className="grid min-w-0 gap-2" aria-label={tool}>
      <h3 className="flex min-w-0 flex-wrap items-center gap-x-3 text-sm">
        <span className="min-w-0 truncate font-mono text-xs">
          <Plain text={tool} />
        </span>
        {!isPair && <Change change={left ? 'removed' : 'added'} />}
        <SubagentLink call={call} />
      </h3>
      {isShown('arguments') && <ArgumentsDiff {...{ left, right, sides }} />}
      {isShown('result') && <ResultDiff {...{ left, right, sides }} />}
    </section>
  )
}

function EqualCall({ tool }: { readonly tool: string }) {
  const words = useWords()
  return (
    <p className="flex items-center gap-2 text-xs text-text-2">
      <Icon name="check" size={14} />
      <span className="min-w-0 truncate font-mono">
        <Plain text={tool} />
      </span>
      {words('compare.call.same')}
    </p>
  )
}

function SubagentLink({ call: { left, right } }: { readonly call: CallPair }) {
  const words = useWords()
  if (!left?.child || !right?.child) return null
  return (
    <Link
      to="/runs/$run"
      params={{ run: left.child.run_id }}
      search={{ tab: 'compare', with: right.child.run_id }}
      className="text-xs text-accent hover:underline"
    >
      {words('compare.subagents')}
    </Link>
  )
}

interface CallProps {
  readonly left: Call | undefined
  readonly right: Call | undefined
  readonly sides: Sides
}

function ArgumentsDiff({ left, right, sides }: CallProps) {
  const words = useWords()
  return (
    <BodyDiff
      {...{ left: left?.arguments, right: right?.arguments, sides }}
      label={words('compare.part.arguments')}
      format={membersText}
    />
  )
}

function ResultDiff({ left, right, sides }: CallProps) {
  const words = useWords()
  return (
    <>
      {left && right && left.status !== right.status && (
        <p className="flex gap-3 font-mono text-xs">
          <span className="rounded bg-removed px-1.5">− {left.status}</span>
          <span className="rounded bg-added px-1.5">+ {right.status}</span>
        </p>
      )}
      <BodyDiff
        {...{ left: resultOf(left), right: resultOf(right), sides }}
        label={words('compare.part.result')}
        format={indented}
      />
    </>
  )
}

/** Returns the result of a call, or the announced result of the subagent that the call started. */
const resultOf = (call: Call | undefined): LogText | undefined =>
  call?.child?.announce?.result ?? call?.result

interface BodyProps {
  readonly left: LogText | undefined
  readonly right: LogText | undefined
  readonly sides: Sides
  readonly label: string
  readonly format?: (text: string) => string
}

/** Compares two texts of the logs; large texts are loaded first. */
function BodyDiff({ left = '', right = '', sides, label, format = (text) => text }: BodyProps) {
  const words = useWords()
  const leftBody = useWhole(left, sides.left)
  const rightBody = useWhole(right, sides.right)
  if (left === '' && right === '') return null
  return (
    <div className="grid min-w-0 gap-1">
      <h4 className="text-xs text-text-2">{label}</h4>
      {leftBody.isLoading || rightBody.isLoading ? (
        <p role="status" className="text-xs text-text-3">
          {words('loading')}
        </p>
      ) : (
        <TextDiff left={format(leftBody.text)} right={format(rightBody.text)} label={label} />
      )}
      <Cut text={left} isMissing={leftBody.isMissing} />
      <Cut text={right} isMissing={rightBody.isMissing} />
      <MediaOf text={left} run={sides.left} />
      <MediaOf text={right} run={sides.right} />
    </div>
  )
}
