/**
 * CodeMirror as the console has it: colours are those of the page, and styles are constructed ones
 * of a shadow root, for the page's policy allows no others.
 */

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { toml } from '@codemirror/legacy-modes/mode/toml'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Language } from './paths.ts'

const COLOURS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', color: 'var(--accent)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.keyword, tags.bool, tags.null, tags.atom], color: 'var(--bad)' },
  { tag: [tags.string, tags.monospace], color: 'var(--good)' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--muted)' },
])

const SELECTED = [
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground',
  '.cm-selectionBackground',
].join(', ')

const LOOK = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace',
    fontSize: '13px',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in oklab, var(--raised) 70%, transparent)',
  },
  [SELECTED]: { backgroundColor: 'color-mix(in oklab, var(--accent) 28%, transparent)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    maxWidth: 'min(36rem, 90vw)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'inherit', overflowWrap: 'anywhere' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-collapsedLines': {
    background: 'var(--raised)',
    color: 'var(--muted)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--good-soft)' },
})

function languageFor(language: Language): Extension {
  if (language === 'markdown') return yamlFrontmatter({ content: markdown() })
  if (language === 'json') return json()
  if (language === 'yaml') return yaml()
  if (language === 'toml') return StreamLanguage.define(toml)
  return []
}

/** Texts that no file may have, in characters: their parsing would slow each key down. */
const LARGE = 1_100_000

function languageWhileSmall(language: Language, begins: number): Extension {
  const part = new Compartment()
  const fitting = (length: number): Extension => (length > LARGE ? [] : languageFor(language))
  return [
    part.of(fitting(begins)),
    EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
      const [before, after] = [startState.doc.length, newDoc.length]
      const crosses = docChanged && before > LARGE !== after > LARGE
      return crosses ? { effects: part.reconfigure(fitting(after)) } : null
    }),
  ]
}

/** Tab leaves the editor: the keyboard alone is enough. `begins`: the length of the first text. */
export function extensionsFor(
  language: Language,
  label: string,
  readOnly: boolean,
  begins = 0,
): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    syntaxHighlighting(COLOURS),
    languageWhileSmall(language, begins),
    LOOK,
    readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
    // Views that cannot be edited are still reached and scrolled by keys.
    readOnly ? EditorView.contentAttributes.of({ tabindex: '0' }) : [],
  ]
}

/** The root below an element; one that is there already is used again. */
export function rootIn(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' })
}
