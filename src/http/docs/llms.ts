/**
 * Generates `/llms.txt`, which describes the API to language models according to
 * https://llmstxt.org: a title, a summary, and links.
 */

import type { Document } from '../openapi/document.ts'

interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
}

export function llmsText(document: Document): string {
  const { info, paths } = document as {
    info: { title: string; description: string }
    paths: Record<string, Record<string, Operation>>
  }
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { tags, summary }] of Object.entries(methods)) {
      const tag = tags?.[0] ?? 'Other'
      const line = `- \`${method.toUpperCase()} ${path}\`: ${summary ?? ''}`
      byTag.set(tag, [...(byTag.get(tag) ?? []), line])
    }
  }
  return [
    `# ${info.title}`,
    '',
    `> ${info.description.replace(/\s+/g, ' ')}`,
    '',
    '- [openapi.json](/openapi.json): every operation with its schemas, errors, and ' + 'examples',
    '- [docs](/docs): the same reference as a web page',
    '',
    ...[...byTag].flatMap(([tag, lines]) => [`## ${tag}`, '', ...lines, '']),
  ].join('\n')
}
