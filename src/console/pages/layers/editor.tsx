/** The editor of one file, with the findings about it where they stand. Loaded when it is needed. */

import { type Diagnostic, forceLinting, linter, lintGutter, nextDiagnostic } from '@codemirror/lint'
import { EditorState, type Text } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Finding } from './check.ts'
import { extensionsFor, rootIn } from './code-mirror.ts'
import { languageOfPath } from './paths.ts'

interface Props {
  readonly path: string
  readonly label: string
  /** Only at the beginning: give the element another key for another text. */
  readonly text: string
  readonly readOnly: boolean
  readonly saved: string
  /** The files that lie beside it. */
  readonly known: () => readonly string[]
  /** Findings of the server, about the text as it was saved. */
  readonly said: readonly Finding[]
  /** Gets what moves the cursor to a line. */
  readonly jump: { current: (line: number) => void }
  readonly onChange: (text: string) => void
  readonly onFindings: (findings: readonly Finding[]) => void
  readonly onSave: () => void
}

const CHECK_MS = 300
/** Above it nothing is checked: the API would not take the file. */
const MOST = 2_000_000
const SEVERITY = { note: 'info', warning: 'warning', error: 'error' } as const

export default function Editor(props: Props) {
  const host = useRef<HTMLDivElement>(null)
  const shown = useRef<EditorView | undefined>(undefined)
  const now = useRef(props)
  now.current = props
  const pause = useRef(pausing((typed) => now.current.onChange(typed)))
  useEffect(() => {
    const { path, label, text, readOnly } = now.current
    const root = rootIn(host.current!)
    const save = (): boolean => {
      pause.current.flush()
      now.current.onSave()
      return true
    }
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          // Before the keys of the editor.
          keymap.of([
            { key: 'Mod-s', preventDefault: true, run: save },
            { key: 'F8', run: nextDiagnostic },
          ]),
          extensionsFor(languageOfPath(path), label, readOnly, text.length),
          lintGutter(),
          linter((of) => checked(of.state.doc, now.current), { delay: CHECK_MS }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) pause.current.change(update.state.doc)
          }),
        ],
      }),
    })
    shown.current = view
    now.current.jump.current = (line) => jump(view, line)
    return () => {
      pause.current.flush()
      view.destroy()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the server says comes later.
  useEffect(() => {
    if (shown.current) forceLinting(shown.current)
  }, [props.said, props.saved])
  return <div ref={host} className="h-full min-h-0" />
}

/** Large texts are handed on when typing pauses, so that each key stays quick. */
const LARGE = 200_000
const PAUSE_MS = 250

function pausing(onChange: (text: string) => void) {
  let waiting: { readonly doc: Text; readonly timer: ReturnType<typeof setTimeout> } | undefined
  const flush = (): void => {
    if (!waiting) return
    const { doc, timer } = waiting
    clearTimeout(timer)
    waiting = undefined
    onChange(doc.toString())
  }
  const change = (doc: Text): void => {
    if (waiting) clearTimeout(waiting.timer)
    waiting = { doc, timer: setTimeout(flush, PAUSE_MS) }
    if (doc.length < LARGE) flush()
  }
  return { change, flush }
}

function jump(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
  view.focus()
}

async function checked(doc: Text, props: Props): Promise<readonly Diagnostic[]> {
  const { path, said, saved, onFindings } = props
  if (doc.length > MOST) {
    onFindings([])
    return []
  }
  const { findingsOf } = await import('./check.ts')
  const typed = doc.toString()
  const own = findingsOf(path, typed, props.known())
  // The server's findings are about the text that it has; they hold until something is typed.
  const known = new Set(own.map(keyOf))
  const more = typed === saved ? said.filter((one) => !known.has(keyOf(one))) : []
  const all = [...own, ...more]
  onFindings(all)
  return all.map((finding) => placed(doc, finding))
}

const keyOf = ({ code, line, message }: Finding): string => `${code} ${line} ${message}`

function placed(doc: Text, { severity, line, message, hint, code }: Finding): Diagnostic {
  const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines))
  return {
    from: at.from,
    to: at.to,
    severity: SEVERITY[severity],
    source: code,
    message: hint === null ? message : `${message}\n→ ${hint}`,
  }
}
