/** Times, amounts and foreign text, shown the same way on every page. */

import { useEffect, useState } from 'react'
import { languageOf, useWords } from '../app/words.ts'
import { IconButton } from './button.tsx'

type Reader = typeof import('./markdown.tsx').default
let reader: Reader | undefined
let loading: Promise<void> | undefined
const AGAIN_MS = 3_000

/** Loads what reads Markdown; where the connection is lost, again when it may be back. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('./markdown.tsx').then(
    (module) => {
      reader = module.default
    },
    async () => {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      loading = undefined
      return loadMarkdown()
    },
  )
  return loading
}

/** Markdown once its reader is there; plain text until then. */
export function Prose({ text }: { readonly text: string }) {
  const [Markdown, setMarkdown] = useState<Reader | undefined>(() => reader)
  useEffect(() => {
    if (!Markdown) void loadMarkdown().then(() => setMarkdown(() => reader))
  }, [Markdown])
  if (Markdown) return <Markdown text={text} />
  return <p className="prose-strata whitespace-pre-wrap">{text}</p>
}

/** A sentence of ours with `commands` in it. */
export function Inline({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="rounded bg-sunken px-1 font-mono text-xs">
        {part}
      </code>
    ),
  )
}

/** Any value as JSON, or text as it is; never anything but text. */
export function Code({
  value,
  label,
  tall,
}: {
  readonly value: unknown
  readonly label?: string
  /** It has the page for itself. */
  readonly tall?: boolean
}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <div className="group relative min-w-0">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className={`${tall ? 'max-h-[72dvh]' : 'max-h-96'} overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]`}
      >
        {text}
      </pre>
      <span className="absolute top-1 right-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <CopyButton text={text} />
      </span>
    </div>
  )
}

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const words = useWords()
  const [done, setDone] = useState(false)
  return (
    <IconButton
      icon={done ? 'check' : 'copy'}
      label={done ? words('copied') : (label ?? words('copy'))}
      size={16}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setDone(true)
          setTimeout(() => setDone(false), 1_500)
        })
      }}
    />
  )
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Formats are dear to make: once for each language. */
const made = new Map<string, ReturnType<typeof formatsOf>>()
const formatsOf = (language: string) => ({
  text: new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
  exact: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
  plain: new Intl.NumberFormat(language),
  compact: new Intl.NumberFormat(language, { notation: 'compact' }),
  cents: money(language, 2),
  fractions: money(language, 6),
})

function money(language: string, most: number): Intl.NumberFormat {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: most }
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', ...digits })
}

function formats() {
  const language = languageOf()
  const known = made.get(language) ?? formatsOf(language)
  made.set(language, known)
  return known
}

/** A moment, as far away as it is; the exact one on pointing at it. */
export function Ago({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <span>–</span>
  const left = Date.parse(at) - Date.now()
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(left) >= size) ?? ['second', 1_000]
  const { text, exact } = formats()
  return (
    <time dateTime={at} title={exact.format(new Date(at))} className="whitespace-nowrap">
      {text.format(Math.round(left / ms), unit)}
    </time>
  )
}

/** Milliseconds in the two largest units. */
export function lasted(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const amount = (value: number): string =>
  (value >= 100_000 ? formats().compact : formats().plain).format(value)

/** Every digit counts. */
export const exactly = (value: number): string => formats().plain.format(value)

export const dollars = (value: number): string =>
  (value < 1 ? formats().fractions : formats().cents).format(value)
