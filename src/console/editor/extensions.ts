/**
 * Extensions of CodeMirror for the console: languages of layer files, and colors of the page.
 * Styles are constructed style sheets of a shadow root, because the page's content security policy
 * forbids style elements.
 */

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  defineLanguageFacet,
  HighlightStyle,
  Language,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { toml } from '@codemirror/legacy-modes/mode/toml'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'

export type TextLanguage = 'markdown' | 'json' | 'yaml' | 'toml' | 'text'

const COLORS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', color: 'var(--accent)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.keyword, tags.bool, tags.null, tags.atom, tags.number], color: 'var(--waiting)' },
  { tag: [tags.string, tags.monospace], color: 'var(--done)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--text-3)' },
])

const SELECTED = [
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground',
  '.cm-selectionBackground',
].join(', ')

const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    borderRadius: 'inherit',
    color: 'var(--text)',
    backgroundColor: 'var(--canvas)',
  },
  '&.cm-focused': { outline: 'none' },
  // The gutter would cover a part of an outline.
  '&.cm-focused::after': {
    ...{ content: '""', position: 'absolute', inset: '0', zIndex: '300' },
    ...{ border: '2px solid var(--accent)', borderRadius: 'inherit', pointerEvents: 'none' },
  },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, monospace',
    fontSize: '13px',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--canvas)',
    color: 'var(--text-3)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--subtle)' },
  [SELECTED]: { backgroundColor: 'color-mix(in oklab, var(--accent) 28%, transparent)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    maxWidth: 'min(36rem, 90vw)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'inherit', overflowWrap: 'anywhere' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
})

const mark = (sign: string, color: string) => ({
  content: 'normal',
  color,
  '&::before': { content: `"${sign}"` },
})

/**
 * Marks of findings as characters and text decorations, because the page's policy forbids the
 * images of CodeMirror.
 */
const FINDINGS = EditorView.theme({
  '.cm-lintRange': {
    textDecorationLine: 'underline',
    textDecorationStyle: 'wavy',
    textDecorationThickness: '1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecorationColor: 'var(--failed)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecorationColor: 'var(--late)' },
  '.cm-lintRange-info': { backgroundImage: 'none', textDecorationColor: 'var(--text-3)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--selected)' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 .2em' },
  '.cm-lint-marker': { height: 'auto', fontWeight: '700', textAlign: 'center' },
  '.cm-lint-marker-error': mark('✕', 'var(--failed)'),
  '.cm-lint-marker-warning': mark('!', 'var(--late)'),
  '.cm-lint-marker-info': mark('i', 'var(--text-2)'),
})

/** Markdown without the grammars of HTML, CSS, and JavaScript, which would double the editor. */
const MARKDOWN = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

function extensionFor(language: TextLanguage): Extension {
  if (language === 'markdown') return yamlFrontmatter({ content: MARKDOWN })
  if (language === 'json') return json()
  if (language === 'yaml') return yaml()
  if (language === 'toml') return StreamLanguage.define(toml)
  return []
}

/** Characters above which a text has no colors, because parsing would delay each key. */
const MAX_COLORED = 1_100_000

function coloredWhileSmall(language: TextLanguage, length: number): Extension {
  const part = new Compartment()
  const colors = (size: number): Extension => (size > MAX_COLORED ? [] : extensionFor(language))
  return [
    part.of(colors(length)),
    EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
      const [from, to] = [startState.doc.length, newDoc.length]
      const crosses = docChanged && from > MAX_COLORED !== to > MAX_COLORED
      return crosses ? { effects: part.reconfigure(colors(to)) } : null
    }),
  ]
}

interface Options {
  readonly language: TextLanguage
  /** Accessible name of the text. */
  readonly label: string
  readonly isReadOnly: boolean
  /** Characters of the initial text. */
  readonly length: number
}

/** Returns the extensions of each editor. The Tab key leaves the editor. */
export function extensionsFor({ language, label, isReadOnly, length }: Options): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    search({ top: true }),
    EditorView.lineWrapping,
    // Keys must reach and scroll also a text that cannot be edited.
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    syntaxHighlighting(COLORS),
    coloredWhileSmall(language, length),
    LOOK,
    FINDINGS,
    isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
  ]
}

const LANGUAGES: Readonly<Record<string, TextLanguage>> = {
  ...{ md: 'markdown', mdx: 'markdown', json: 'json', jsonl: 'text', toml: 'toml' },
  ...{ yaml: 'yaml', yml: 'yaml' },
}

/** Returns the language of a file, by the extension of its name. */
export const languageOf = (path: string): TextLanguage =>
  LANGUAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'text'

/** Returns the shadow root of an element; creates it when the element has none. */
export const rootOf = (host: HTMLElement): ShadowRoot =>
  host.shadowRoot ?? host.attachShadow({ mode: 'open' })
