/**
 * Part of a user message. A log represents files as marks in the text, with the content of text
 * files between two marks. A mark typed by the user is shown as a file, which is harmless.
 */

export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly text: string }

const MEDIA = /^\[(?:image|pdf|audio)(?: "[^"\n]*")?, [\w.+-]+\/[\w.+-]+, \d+ bytes\]$/
const FILE = /^\[(file(?: "([^"\n]*)")?), \d+ bytes:\]$/

/**
 * Splits a user message into parts; omits images, PDF documents, and audio, which the log stores
 * separately.
 */
export function messageParts(text: string): readonly MessagePart[] {
  const parts: MessagePart[] = []
  const plain: string[] = []
  const flush = (): void => {
    const text = plain.splice(0).join('\n')
    if (text.trim() !== '') parts.push({ kind: 'text', text })
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
