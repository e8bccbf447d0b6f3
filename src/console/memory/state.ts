/** Memory files as the page shows and edits them: folders by scope, an edited text, and matches. */

const SCOPES = ['shared', 'agents', 'roles', 'sessions', 'others'] as const
type Scope = (typeof SCOPES)[number]

interface WithPath {
  readonly path: string
}

export interface Folder<T> {
  /** Agent, role, or session of the folder; empty for the shared folder. */
  readonly owner: string
  readonly files: readonly T[]
}

export interface ScopeGroup<T> {
  readonly scope: Scope
  readonly folders: readonly Folder<T>[]
}

interface ScopedPath {
  readonly scope: Scope
  readonly owner: string
  /** Path below the folder of the scope. */
  readonly name: string
}

/** Splits a path such as `agents/triage/notes.md` into its scope, its owner, and the rest. */
export function scopedPath(path: string): ScopedPath {
  const [first = '', owner = '', ...names] = path.split('/')
  if (first === 'shared') return { scope: 'shared', owner: '', name: [owner, ...names].join('/') }
  const scope = SCOPES.find((name) => name === first)
  if (!scope || scope === 'others' || names.length === 0)
    return { scope: 'others', owner: '', name: path }
  return { scope, owner, name: names.join('/') }
}

/** Groups files by scope and folder; files of a folder are in the order of their names. */
export function groupsOf<T extends WithPath>(files: readonly T[]): readonly ScopeGroup<T>[] {
  return SCOPES.flatMap((scope) => {
    const members = files.filter(({ path }) => scopedPath(path).scope === scope)
    const byOwner = Map.groupBy(members, ({ path }) => scopedPath(path).owner)
    const folders = [...byOwner].map(([owner, entries]) => ({
      owner,
      files: entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    }))
    return folders.length === 0 ? [] : [{ scope, folders }]
  })
}

/** Text of a file as the server has it; the API returns no line break at its end. */
export interface FileText {
  readonly text: string
  readonly etag: string
}

/** Text that is not saved, with the ETag of the text from which it began. */
export type Draft = FileText

export interface Editing {
  /** Response that was taken last. */
  readonly received: FileText
  /** The file as the server has it. */
  readonly base: FileText
  readonly draft: Draft | undefined
  /** Text in the editor. */
  readonly text: string
  /** Changes when the editor must show another text. */
  readonly key: number
}

export function startEditing(file: FileText, draft: Draft | undefined): Editing {
  return { received: file, base: file, draft, text: draft?.text ?? file.text, key: 0 }
}

/** Takes a response of the server. A text that is not saved stays. */
export function withReceived(editing: Editing, file: FileText): Editing {
  const { base, draft, text, key } = editing
  if (file.etag === base.etag) return { ...editing, received: file }
  const nextText = draft?.text ?? file.text
  const isOther = nextText !== text
  return { received: file, base: file, draft, text: nextText, key: isOther ? key + 1 : key }
}

export function withTyped(editing: Editing, text: string): Editing {
  const { base, draft } = editing
  const etag = draft?.etag ?? base.etag
  const isSaved = text === base.text && etag === base.etag
  return { ...editing, text, draft: isSaved ? undefined : { text, etag } }
}

/** Takes a saved text; what was typed since it was sent is not saved yet. */
export function withSaved(editing: Editing, saved: FileText): Editing {
  const { text } = editing
  const draft = text === saved.text ? undefined : { text, etag: saved.etag }
  return { ...editing, base: saved, draft }
}

/** Drops what is not saved. */
export const withoutDraft = (editing: Editing): Editing => ({
  ...editing,
  ...{ draft: undefined, text: editing.base.text, key: editing.key + 1 },
})

/** Whether the server has another text than the one from which the draft began. */
export const hasConflict = ({ base, draft }: Editing): boolean =>
  draft !== undefined && draft.etag !== base.etag

/** Returns the content to write: a Markdown file ends with a line break. */
export const contentOf = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`)

/** Returns the text of a version as the API returns the text of a file. */
export const trimmedEnd = (text: string): string => text.replace(/\n$/, '')

interface Span {
  readonly from: number
  readonly to: number
}

export interface Passage {
  readonly text: string
  readonly lines: Span
  readonly highlights: readonly Span[]
}

export interface MarkedPiece {
  readonly text: string
  readonly isMatch: boolean
}

/** Splits the text of a passage at its matches. */
export function markedPieces({ text, highlights }: Passage): readonly MarkedPiece[] {
  const pieces: MarkedPiece[] = []
  let at = 0
  for (const { from, to } of highlights.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue
    pieces.push({ text: text.slice(at, from), isMatch: false })
    pieces.push({ text: text.slice(from, to), isMatch: true })
    at = to
  }
  pieces.push({ text: text.slice(at), isMatch: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** Whether a line of the file is in the passage. */
export const holdsLine = ({ lines }: Pick<Passage, 'lines'>, line: number | undefined): boolean =>
  line !== undefined && lines.from <= line && line <= lines.to

/** Returns the line of the first match in the file, or else the first line of the passage. */
export function matchLine({ text, lines, highlights }: Passage): number {
  const first = Math.min(text.length, ...highlights.map(({ from }) => from))
  const lead = highlights.length === 0 ? '' : text.slice(0, first)
  return lines.from + lead.split('\n').length - 1
}
