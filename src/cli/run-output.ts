/**
 * Readable output of a run: one line per event, with the model's text between events. Each line of
 * model text follows a bar, so that no text can imitate a line of the program. Text appears as it
 * arrives; the finished message adds missed text.
 */

import type { Delta } from '../client/index.ts'
import { oneLine } from '../lib/invisible-characters.ts'
import { bodyText, cut, type LogEvent } from './event-text.ts'
import type { Terminal } from './terminal.ts'
import { waitingLine } from './waiting-line.ts'

const BAR = '| '

export interface ShownRun {
  show(event: LogEvent): void
  /** Shows a delta of a model's streamed text. */
  showDelta(delta: Delta): void
  /** Prints the full answer, unless it was already shown. */
  text(text: string): void
  /** Prints the final line, with the number of warnings. */
  end(): void
}

/**
 * Creates the output of a run. With `isVerbose`, it shows arguments and results of tool calls as
 * far as the log contains them.
 */
export function shownRun(terminal: Terminal, isVerbose = false): ShownRun {
  const prose = proseOn(terminal)
  let step = -1
  let epoch = -1
  /** Text already shown of this step's answer. */
  let printed = ''
  /** Text already shown of the last answer. */
  let answer = ''
  const warnings = new Set<string>()
  const shownLines = new Set<string>()
  const begin = (delta: { readonly step: number; readonly epoch: number }): void => {
    step = delta.step
    epoch = delta.epoch
    printed = ''
  }
  const showDelta = (delta: Delta): void => {
    if (delta.step !== step) begin(delta)
    const { text = '', at = printed.length } = delta
    // A restarted stream repeats all of the answer's previous text.
    const overlap = printed.slice(at, at + text.length)
    if (delta.reset || delta.epoch !== epoch || !text.startsWith(overlap)) {
      if (printed !== '') prose.aside('(the text of this answer so far was discarded)')
      begin(delta)
    }
    const fresh = text.slice(Math.max(0, printed.length - at))
    printed += fresh
    prose.write(fresh)
  }
  /** Prints the rest of the finished message. */
  const finish = ({ data }: LogEvent): void => {
    const text = textOf(data.parts)
    const printedText = data.step === step ? printed : ''
    if (text.startsWith(printedText)) prose.write(text.slice(printedText.length))
    // Some deltas were missed, or the log contains only the beginning of a long text.
    else if (!printedText.startsWith(text)) {
      prose.aside('(complete answer)')
      prose.write(text)
    }
    prose.end()
    answer = printedText.length > text.length ? printedText : text
    printed = ''
  }
  return {
    show(event) {
      if (event.type === 'assistant.message') finish(event)
      prose.end()
      terminal.out(lineOf(event))
      for (const line of [...callLines(event, isVerbose), ...fallbackLines(event)])
        terminal.out(line)
      const asks = waitingLine(event)
      if (asks !== undefined) terminal.out(asks)
      // The start event repeats the warnings that were returned when the run was accepted.
      for (const { line, isWarning } of warningLines(event)) {
        if (!shownLines.has(line)) terminal.out(line)
        shownLines.add(line)
        if (isWarning) warnings.add(line)
      }
    },
    showDelta,
    end() {
      prose.end()
      const { size } = warnings
      if (size > 0) terminal.out(`${size} ${size === 1 ? 'warning' : 'warnings'}, above`)
    },
    text(text) {
      if (text === answer) return
      prose.write(text)
      prose.end()
    },
  }
}

interface Prose {
  write(text: string): void
  /** Prints a message of the program itself on a separate line. */
  aside(text: string): void
  end(): void
}

function proseOn({ part, out }: Terminal): Prose {
  let open = false
  /** Incomplete character or line ending that the next text completes. */
  let carry = ''
  const say = (line: string): void => {
    if (line !== '' || !open) part(`${open ? '' : BAR}${oneLine(line.replaceAll('\t', '    '))}`)
    open = true
  }
  const newLine = (): void => {
    if (!open) part(BAR)
    out('')
    open = false
  }
  const write = (text: string): void => {
    const combined = carry + text
    carry = /[\uD800-\uDBFF\r]$/.exec(combined)?.[0] ?? ''
    const lines = combined.slice(0, combined.length - carry.length).split(/\r?\n/)
    for (const [at, line] of lines.entries()) {
      if (at > 0) newLine()
      if (line !== '') say(line)
    }
  }
  const end = (): void => {
    if (carry !== '') say(carry)
    carry = ''
    if (open) newLine()
  }
  return {
    write,
    end,
    aside(text) {
      end()
      out(text)
    },
  }
}

const textOf = (parts: unknown): string =>
  (parts as readonly { type: string; text?: unknown }[])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => bodyText(text))
    .join('')

export const isShortened = (body: unknown): boolean => typeof body === 'object' && body !== null

/** Formats an event, such as `12:00:01    3 tool.call read`. */
function lineOf({ seq, type, created_at, data }: LogEvent): string {
  const output = data.output as { text?: unknown } | undefined
  const detail =
    output?.text === undefined
      ? (errorOf(data.error) ??
        callOf(type, data) ??
        data.tool ??
        data.label ??
        data.agent ??
        callsOf(data.calls) ??
        '')
      : cut(bodyText(output.text))
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail)
  return oneLine(`${created_at.slice(11, 19)} ${String(seq).padStart(4)} ${type} ${text}`.trimEnd())
}

/**
 * Formats an error, such as `model_unavailable: 503: overloaded`; undefined if the event has no
 * error.
 */
function errorOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message } = error as Readonly<Record<string, unknown>>
  return `${code}: ${message}`
}

/** Lists the failed models of the fallback chain, each with its reason. */
function fallbackLines({ type, data }: LogEvent): string[] {
  if (type !== 'assistant.message' || !Array.isArray(data.tried)) return []
  return data.tried.map(({ model, code, message }: Record<string, unknown>) =>
    oneLine(`     ${model} did not respond (${code}: ${message}); ${data.model} answered instead`),
  )
}

/**
 * Formats a failed tool call, such as `shell_execute failed`; undefined if the event is not a
 * failed result.
 */
const callOf = (type: string, { tool, status }: LogEvent['data']): string | undefined => {
  if (type !== 'tool.result' || status === 'ok') return undefined
  return `${tool} ${status === 'error' ? 'FAILED' : 'OUTCOME UNKNOWN'}`
}

/**
 * Lists the tools of an answer, or the number of results of a barrier, which contains only call
 * IDs.
 */
function callsOf(calls: unknown): string | undefined {
  if (!Array.isArray(calls)) return undefined
  const tools = calls.flatMap(({ tool }: { tool?: string }) => tool ?? [])
  return tools.length < calls.length ? `${calls.length} results` : tools.join(', ')
}

/**
 * Prints the first line of a failed tool call's error; with `isVerbose`, prints every call in full.
 */
function callLines({ type, data }: LogEvent, isVerbose: boolean): string[] {
  if (type === 'assistant.message' && isVerbose) {
    const parts = data.parts as readonly { type: string; tool?: string; arguments?: unknown }[]
    return parts
      .filter((part) => part.type === 'call')
      .map((part) => oneLine(`     ${part.tool} ${bodyText(part.arguments)}`))
  }
  if (type !== 'tool.result') return []
  const lines = bodyText(data.text).trimEnd().split(/\r?\n/)
  if (isVerbose) return lines.map((line) => oneLine(`     ${line}`))
  return data.status === 'ok' ? [] : [oneLine(`     ${cut(lines[0] ?? '')}`)]
}

/** Codes of informational warnings, which do not mean that anything is missing. */
const INFORMATION: ReadonlySet<unknown> = new Set(['tools_deferred'])

interface WarningLine {
  readonly line: string
  readonly isWarning: boolean
}

/**
 * Returns the warnings in an event about missing tools and servers, and the run's other warnings.
 */
function warningLines({ data }: LogEvent): WarningLine[] {
  const { warnings } = data as { warnings?: unknown }
  if (!Array.isArray(warnings)) return []
  return warnings.map(({ code, message, hint }: Record<string, unknown>) => {
    const isWarning = !INFORMATION.has(code)
    const more = hint === undefined ? '' : ` (${hint})`
    const line = oneLine(`     ${isWarning ? 'warning' : 'note'} ${code}: ${message}${more}`)
    return { line, isWarning }
  })
}
