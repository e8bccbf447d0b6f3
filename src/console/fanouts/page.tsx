/** List of fan-outs with their progress, refreshed while the page is visible. */

import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { Progress } from '../fanout/progress.tsx'
import { endedOf } from '../fanout/state.ts'
import { useWords } from '../i18n/words.ts'
import { More, usePages } from '../kit/more.tsx'
import { Forbidden, Loading } from '../kit/notice.tsx'
import { OfflineLine } from '../kit/offline-line.tsx'
import { useKeys } from '../kit/shortcuts.ts'
import { Status } from '../kit/status.tsx'
import { useTitle } from '../kit/title.ts'
import { moved } from '../runs/marks.ts'
import { dollars } from '../text/format.ts'
import { Ago, Code, Plain } from '../text/text.tsx'

type Fanout = Schemas['Fanout']

const EVERY_MS = 5_000
const PAGE = 50

export default function Fanouts() {
  const words = useWords()
  const may = useMay('runs:read')
  useTitle(words('fanouts.title'))
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex items-center border-line px-4 lg:min-h-10 lg:border-b">
        <h1 className="sr-only text-xl font-semibold lg:not-sr-only">{words('fanouts.title')}</h1>
      </header>
      <OfflineLine />
      {may ? (
        <FanoutList />
      ) : (
        <div className="p-4">
          <Forbidden scope="runs:read" />
        </div>
      )}
    </div>
  )
}

function FanoutList() {
  const words = useWords()
  const navigate = useNavigate()
  const [current, setCurrent] = useState<string>()
  const pages = usePages<Fanout>(
    ['fanouts', 'list'],
    (cursor) => api.fanouts.list({ limit: PAGE, cursor }),
    EVERY_MS,
  )
  const ids = pages.items.map(({ id }) => id)
  useKeys({
    ...{
      j: () => setCurrent(moved(ids, current, 1)),
      k: () => setCurrent(moved(ids, current, -1)),
    },
    o: () =>
      current !== undefined &&
      void navigate({ to: '/fanouts/$fanout', params: { fanout: current } }),
  })
  useEffect(() => {
    if (current === undefined) return
    const link = document.getElementById(`row-${current}`)
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {pages.isPending && <Loading />}
      {pages.isSuccess && pages.items.length === 0 && <Empty />}
      <ul aria-label={words('fanouts.title')}>
        {pages.items.map((fanout) => (
          <Row key={fanout.id} fanout={fanout} isCurrent={fanout.id === current} />
        ))}
      </ul>
      <div className="px-4">
        <More of={pages} />
      </div>
    </div>
  )
}

interface RowProps {
  readonly fanout: Fanout
  readonly isCurrent: boolean
}

function Row({ fanout, isCurrent }: RowProps) {
  const words = useWords()
  const { id, status, label, children, usage, created_at } = fanout
  const unsuccessful = children.failed + children.timed_out + children.cancelled
  return (
    <li className="border-b border-line">
      <Link
        id={`row-${id}`}
        to="/fanouts/$fanout"
        params={{ fanout: id }}
        preload={false}
        className={`grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-sm outline-offset-[-2px] md:grid-cols-[7rem_minmax(0,1fr)_14rem_5rem_6rem] ${
          isCurrent ? 'bg-selected' : 'hover:bg-subtle'
        }`}
      >
        <span className="order-2 md:order-none">
          <Status state={status} />
        </span>
        <span className="truncate font-medium">
          <Plain text={label ?? id} />
        </span>
        <span className="order-3 col-span-2 grid gap-1 text-xs text-text-2 md:order-none md:col-span-1">
          <span>
            {words('fanouts.ended', { n: endedOf(children), of: children.total })}
            {unsuccessful > 0 && (
              <span className="text-failed">
                {' · '}
                {words('fanouts.unsuccessful', { n: unsuccessful })}
              </span>
            )}
          </span>
          <Progress counts={children} />
        </span>
        <span className="hidden text-right text-xs text-text-2 md:block">
          {usage.list_price === undefined ? '–' : dollars(usage.list_price)}
        </span>
        <span className="order-4 text-xs text-text-2 md:order-none md:text-right">
          <Ago at={created_at} />
        </span>
      </Link>
    </li>
  )
}

function Empty() {
  const words = useWords()
  return (
    <div className="grid max-w-2xl gap-3 p-4">
      <p className="text-text-2">{words('fanouts.empty')}</p>
      <Code label="curl" text={curlCommand()} />
      <Code
        label="TypeScript"
        text={"await strata.fanouts.create({ tasks: [{ task: 'One.' }, { task: 'Two.' }] })"}
      />
    </div>
  )
}

const curlCommand = (): string =>
  [
    `curl ${location.origin}/v1/fanouts \\`,
    '  -H "Authorization: Bearer $STRATA_API_KEY" \\',
    `  --json '{"tasks": [{"task": "One."}, {"task": "Two."}]}'`,
  ].join('\n')
