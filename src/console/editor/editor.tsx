/** Editor of one text, with findings on their lines. It is large: load it with `lazy`. */

import { type Diagnostic, linter, lintGutter, nextDiagnostic } from '@codemirror/lint'
import { EditorState, StateEffect, type Text } from '@codemirror/state'
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import { extensionsFor, languageOf, rootOf } from './extensions.ts'

interface EditorFinding {
  readonly severity: 'error' | 'warning' | 'note'
  /** From 1; null for a finding about the whole text. */
  readonly line: number | null
  readonly code: string
  readonly message: string
  readonly hint?: string | null
}

interface Props {
  /** Decides about the language. */
  readonly path: string
  /** Accessible name. */
  readonly label: string
  /** Initial text: give the element another `key` for another text. */
  readonly text: string
  readonly isReadOnly: boolean
  /** Line of the cursor, from 1; the editor moves there when it changes. */
  readonly line?: number | undefined
  /** Returns the findings about a text; rejects when the signal is aborted. */
  readonly check?: (text: string, signal: AbortSignal) => Promise<readonly EditorFinding[]>
  /** Receives the function that moves the cursor to a line. */
  readonly jump?: RefObject<(line: number) => void>
  readonly onChange: (text: string) => void
  readonly onSave?: () => void
}

const CHECK_MS = 200
/** Checks a text that has not changed. */
const CHECK_AGAIN = StateEffect.define<null>()
const needsRefresh = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(CHECK_AGAIN)))

const SEVERITY = { note: 'info', warning: 'warning', error: 'error' } as const

export default function Editor(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView | undefined>(undefined)
  const now = useRef(props)
  now.current = props
  useEffect(() => {
    const { path, label, text, isReadOnly, jump } = now.current
    const root = rootOf(host.current!)
    const changes = delayed((typed) => now.current.onChange(typed))
    const checks = checker(now)
    const save = (): boolean => {
      changes.flush()
      now.current.onSave?.()
      return true
    }
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          // These keys precede those of the editor.
          keymap.of([
            { key: 'Mod-s', preventDefault: true, run: save },
            { key: 'F8', run: nextDiagnostic },
            { key: 'Mod-Enter', run: nextDiagnostic },
          ]),
          extensionsFor({ language: languageOf(path), label, isReadOnly, length: text.length }),
          now.current.check
            ? [lintGutter(), linter(checks.run, { delay: CHECK_MS, needsRefresh })]
            : [],
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changes.add(update.state.doc)
          }),
        ],
      }),
    })
    editor.current = view
    addEventListener('pagehide', changes.flush)
    if (jump) jump.current = (line) => moveTo(view, line)
    return () => {
      removeEventListener('pagehide', changes.flush)
      changes.flush()
      checks.stop()
      view.destroy()
    }
  }, [])
  const { line } = props
  useEffect(() => {
    if (line !== undefined && editor.current) moveTo(editor.current, line)
  }, [line])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new check applies to the same text.
  useEffect(() => {
    editor.current?.dispatch({ effects: CHECK_AGAIN.of(null) })
  }, [props.check])
  return <div ref={host} className="h-full min-h-0 rounded-[inherit]" />
}

/** Characters above which a text is reported after a pause in typing, to keep each key fast. */
const LARGE = 200_000
const PAUSE_MS = 250

function delayed(onChange: (text: string) => void) {
  let pending: { readonly doc: Text; readonly timer: ReturnType<typeof setTimeout> } | undefined
  const flush = (): void => {
    if (!pending) return
    const { doc, timer } = pending
    clearTimeout(timer)
    pending = undefined
    onChange(doc.toString())
  }
  const add = (doc: Text): void => {
    if (pending) clearTimeout(pending.timer)
    pending = { doc, timer: setTimeout(flush, PAUSE_MS) }
    if (doc.length < LARGE) flush()
  }
  return { add, flush }
}

/** Checks the last text only: a check that a later one replaces is aborted. */
function checker(props: RefObject<Props>) {
  let running = new AbortController()
  const run = async ({ state }: EditorView): Promise<readonly Diagnostic[]> => {
    running.abort()
    running = new AbortController()
    const { signal } = running
    const findings = await props.current
      .check?.(state.doc.toString(), signal)
      .catch(() => undefined)
    return signal.aborted || !findings
      ? []
      : findings.map((finding) => diagnosticOf(state.doc, finding))
  }
  return { run, stop: () => running.abort() }
}

function diagnosticOf(
  doc: Text,
  { severity, line, code, message, hint }: EditorFinding,
): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines))
  const text = hint ? `${message}\n→ ${hint}` : message
  return { from, to, severity: SEVERITY[severity], source: code, message: text }
}

function moveTo(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
  view.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
  view.focus()
}
