/**
 * Edits fields of an agent file. Comments, key order, and unknown fields are kept. The system
 * prompt stays byte-identical unless a new prompt is given.
 */

import { parseDocument } from 'yaml'
import { fail, type Outcome, ok } from '../../../lib/outcome.ts'
import { frontMatter } from '../yaml/frontmatter.ts'

/** Changed front matter keys as the file spells them; null removes a field. */
export interface AgentEdit {
  readonly fields: Readonly<Record<string, unknown>>
  /** New system prompt; absent to keep the current prompt. */
  readonly body?: string | undefined
}

/**
 * Returns the new text of the agent file, or a message that explains why a manual edit is required.
 */
export function editAgent(text: string, { fields, body }: AgentEdit): Outcome<string, string> {
  const matter = frontMatter(text)
  if (matter.kind !== 'parsed')
    return fail('the front matter cannot be read; correct the file first')
  const start = text.indexOf('\n') + 1
  const end = text.indexOf('\n---', start - 1) + 1
  const document = parseDocument(text.slice(start, end), { version: '1.2', uniqueKeys: true })
  // Rewriting front matter with syntax errors would change its meaning.
  if (document.errors.length > 0)
    return fail('the front matter is not valid YAML; correct it first')
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) document.delete(key)
    else document.set(key, document.createNode(value))
  }
  const fence = text.slice(end, text.length - matter.body.length)
  const lineEnd = text[start - 2] === '\r' ? '\r\n' : '\n'
  const head = document.toString({ lineWidth: 0 }).replaceAll('\n', lineEnd)
  const closed = fence.endsWith('\n') || body === undefined ? fence : `${fence}${lineEnd}`
  return ok(`${text.slice(0, start)}${head}${closed}${body ?? matter.body}`)
}
