/**
 * A message of a person as its parts: a log has its files as marks in the text, and the content of
 * text files between two of them. Whoever types such a mark sees it as a file, and harms nobody.
 */

export type SaidPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly text: string }

const MEDIA = /^\[(?:image|pdf|audio)(?: "[^"\n]*")?, [\w.+-]+\/[\w.+-]+, \d+ bytes\]$/
const FILE = /^\[(file(?: "([^"\n]*)")?), \d+ bytes:\]$/

/** Pictures and the like are left out: they are shown from beside the text. */
export function partsOf(text: string): readonly SaidPart[] {
  const parts: SaidPart[] = []
  const plain: string[] = []
  const flush = (): void => {
    const said = plain.splice(0).join('\n')
    if (said.trim() !== '') parts.push({ kind: 'text', text: said })
  }
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (MEDIA.test(line)) continue
    const [, mark, name = ''] = FILE.exec(line) ?? []
    const end = mark === undefined ? -1 : lines.indexOf(`[The end of this ${mark}.]`, at)
    if (end < 0) {
      plain.push(line)
      continue
    }
    flush()
    parts.push({ kind: 'file', name, text: lines.slice(at + 1, end).join('\n') })
    at = end
  }
  flush()
  return parts
}
