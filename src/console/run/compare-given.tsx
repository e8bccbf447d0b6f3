/** Differences of what two runs were given: settings, prompt, tools, and entries of the layers. */

import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ProblemError, refetchOffline, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { useWords } from '../i18n/words.ts'
import { Forbidden, Loading, Problem } from '../kit/notice.tsx'
import { TextDiff } from '../text/diff.tsx'
import { Plain } from '../text/text.tsx'
import { Change, Equal, Section } from './compare-parts.tsx'
import { SettingsSection } from './compare-settings.tsx'
import { type EntryPair, entryPairs } from './settings.ts'

type Run = Schemas['Run']
type Config = Schemas['RunConfig']

interface Props {
  readonly left: Run
  readonly right: Run
}

export function GivenDiff({ left, right }: Props) {
  const words = useWords()
  const configs = useQueries({
    queries: [left.id, right.id].map((id) => ({
      queryKey: ['run', id, 'config'],
      queryFn: () => api.runs.config(id),
      refetchInterval: refetchOffline,
    })),
  })
  const early = [left, right].filter((_, side) => isEarly(configs[side]?.error))
  const failed = configs.find(({ error }) => error && !isEarly(error))
  const [ofLeft, ofRight] = configs.map(({ data }) => data)
  return (
    <>
      <SettingsSection left={left} right={right} configs={ofLeft && ofRight && [ofLeft, ofRight]} />
      <Problem error={failed?.error} onRetry={() => void failed?.refetch()} />
      {early.map(({ id, label }) => (
        <p key={id} className="text-sm text-text-2">
          {words('compare.early', { run: label ?? id })}
        </p>
      ))}
      {ofLeft && ofRight ? (
        <>
          <PromptSection left={ofLeft} right={ofRight} />
          <ToolsSection left={ofLeft} right={ofRight} />
          <LayersSection left={ofLeft.config_digest} right={ofRight.config_digest} />
        </>
      ) : (
        !failed && early.length === 0 && <Loading />
      )}
    </>
  )
}

/** Whether the run has no configuration because it has not started. */
const isEarly = (error: unknown): boolean => error instanceof ProblemError && error.status === 409

interface ConfigProps {
  readonly left: Config
  readonly right: Config
}

function PromptSection({ left, right }: ConfigProps) {
  const words = useWords()
  const parts = [
    ['run.given.prompt', left.prompt, right.prompt],
    ['run.given.note', left.notes.join('\n\n'), right.notes.join('\n\n')],
    ['run.given.schema', schemaText(left), schemaText(right)],
  ] as const
  const differing = parts.filter(([, leftText, rightText]) => leftText !== rightText)
  return (
    <Section title={words('run.given.prompt')}>
      {differing.length === 0 && <Equal />}
      {differing.map(([word, leftText, rightText]) => (
        <div key={word} className="grid gap-1">
          {word !== 'run.given.prompt' && <h3 className="text-sm font-medium">{words(word)}</h3>}
          <TextDiff left={leftText} right={rightText} label={words(word)} />
        </div>
      ))}
    </Section>
  )
}

const schemaText = ({ output_schema: schema }: Config): string =>
  schema ? JSON.stringify(schema, null, 2) : ''

function ToolsSection({ left, right }: ConfigProps) {
  const words = useWords()
  const lists = [
    ['run.given.tools', entryPairs(left.tools, right.tools, ({ name }) => name)],
    ['chat.skills', entryPairs(left.skills, right.skills, ({ id }) => id)],
    ['chat.servers', entryPairs(left.servers, right.servers, ({ name }) => name)],
    ['run.given.agents', entryPairs(left.agents, right.agents, ({ id }) => id)],
  ] as const
  return lists.map(([word, pairs]) =>
    pairs.length === 0 && word !== 'run.given.tools' ? null : (
      <Section key={word} title={words(word)}>
        {pairs.length === 0 ? <Equal /> : <Entries pairs={pairs} />}
      </Section>
    ),
  )
}

function Entries({ pairs }: { readonly pairs: readonly EntryPair[] }) {
  return (
    <ul className="grid divide-y divide-line rounded-lg border border-line">
      {pairs.map((pair) => (
        <Entry key={pair.name} pair={pair} />
      ))}
    </ul>
  )
}

function Entry({ pair: { name, change, left, right } }: { readonly pair: EntryPair }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="grid min-w-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-9 min-w-0 items-center gap-3 px-3 text-left -outline-offset-2 hover:bg-subtle pointer-coarse:min-h-11"
      >
        <span aria-hidden="true" className="w-3 text-text-3">
          {isOpen ? '▾' : '▸'}
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs">
          <Plain text={name} />
        </span>
        <Change change={change} />
      </button>
      {isOpen && (
        <div className="min-w-0 px-3 pb-3">
          <TextDiff left={left} right={right} label={name} />
        </div>
      )}
    </li>
  )
}

interface DigestProps {
  readonly left: string
  readonly right: string
}

/** Shows the differences of what the layers gave, as the server compares them. */
function LayersSection({ left, right }: DigestProps) {
  const words = useWords()
  const mayRead = useMay('layers:read')
  const isSame = left === right
  const { data, error, refetch } = useQuery({
    queryKey: ['resolve', 'diff', left, right],
    enabled: mayRead && !isSame,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: refetchOffline,
    queryFn: () => api.layers.diff({ left: { digest: left }, right: { digest: right } }),
  })
  const hasNone = isSame || data?.differences.length === 0
  return (
    <Section title={words('compare.layers')}>
      {hasNone && <Equal text="compare.layers.same" />}
      {!isSame && !mayRead && <Forbidden scope="layers:read" />}
      <Problem error={error} onRetry={() => void refetch()} />
      {!isSame && mayRead && !data && !error && <Loading />}
      {data && data.differences.length > 0 && (
        <ul className="grid divide-y divide-line rounded-lg border border-line">
          {data.differences.map(({ kind, id, change, fields }) => (
            <li
              key={`${kind} ${id}`}
              className="flex flex-wrap items-center gap-x-3 px-3 py-2 text-sm"
            >
              <span className="font-mono text-xs [overflow-wrap:anywhere]">
                <Plain text={id} />
              </span>
              <span className="text-xs text-text-2">{words(`compare.kind.${kind}`)}</span>
              <span className="min-w-0 flex-1 font-mono text-xs text-text-2 [overflow-wrap:anywhere]">
                <Plain text={fields.join(', ')} />
              </span>
              <Change change={change} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
