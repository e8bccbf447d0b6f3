/** Renders the API contract as one static page without scripts or external files. */

import type { Document } from '../openapi/document.ts'

interface Reference {
  readonly $ref?: string
}
interface Answer extends Reference {
  readonly description?: string
}
interface Parameter extends Reference {
  readonly name: string
  readonly in: string
  readonly description?: string
}
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>
interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: unknown
  readonly responses?: Readonly<Record<string, Answer>>
}

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h2{margin-top:2.5rem;border-bottom:1px solid #ccc}
details{border:1px solid #ddd;border-radius:6px;margin:.5rem 0;padding:.5rem .8rem}
summary{cursor:pointer}code,pre{font:14px/1.4 ui-monospace,monospace}
pre{background:#f6f6f6;padding:.6rem;overflow:auto}
.m{display:inline-block;width:4.5rem;font-weight:600}
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#242424}
details{border-color:#444}}`

/** Renders the static documentation page; `note` appears at the top. */
export function plainPage(document: Document, note?: string): string {
  const { info, paths, webhooks, components } = document as {
    info: { title: string; description: string }
    paths: Record<string, Record<string, Operation>>
    webhooks: Record<string, Record<string, Operation>>
    components: Components
  }
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries({ ...paths, ...webhooks })) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other'
      byTag.set(tag, [
        ...(byTag.get(tag) ?? []),
        operationHtml(method, path, operation, components),
      ])
    }
  }
  const tags = [...byTag].map(([tag, items]) => `<h2>${esc(tag)}</h2>${items.join('')}`)
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="${esc(name)}"><summary><code>${esc(name)}</code></summary>${json(schema)}</details>`,
  )
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width">' +
    `<title>${esc(info.title)}</title><style>${STYLE}</style>` +
    `<h1>${esc(info.title)}</h1><p>${esc(info.description)}</p>` +
    `${note === undefined ? '' : `<p><strong>${esc(note)}</strong></p>`}` +
    '<p>The same as <a href="/openapi.json">openapi.json</a>.</p>' +
    `${tags.join('')}<h2>Schemas</h2>${schemas.join('')}</html>`
  )
}

function operationHtml(
  method: string,
  path: string,
  operation: Operation,
  components: Components,
): string {
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const { name, in: where, description = '' } = resolved(parameter, components)
    return `<li><code>${esc(name)}</code> (${esc(where)}) ${esc(description)}</li>`
  })
  const responses = Object.entries(operation.responses ?? {}).map(([status, answer]) => {
    const { description = '' } = resolved(answer, components)
    return `<li><code>${esc(status)}</code> ${esc(description)}</li>`
  })
  return (
    `<details><summary><span class="m">${esc(method.toUpperCase())}</span>` +
    `<code>${esc(path)}</code> – ${esc(operation.summary ?? '')}</summary>` +
    `<p>${esc(operation.description ?? '')}</p><ul>${parameters.join('')}</ul>` +
    `${operation.requestBody ? `<p>Body:</p>${json(operation.requestBody)}` : ''}` +
    `<p>Answers:</p><ul>${responses.join('')}</ul></details>`
  )
}

/** Resolves a reference to a contract component, `#/components/<kind>/<name>`. */
function resolved<T extends Reference>(value: T, components: Components): T {
  const [kind = '', name = ''] = value.$ref?.split('/').slice(-2) ?? []
  return (components[kind]?.[name] as T | undefined) ?? value
}

/** Quotes need no escape outside of attributes; they would be a fifth of the page. */
const json = (value: unknown): string =>
  `<pre>${JSON.stringify(value, null, 1).replace(/[&<>]/g, entityOf)}</pre>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const entityOf = (char: string): string => ENTITIES[char] ?? char
const esc = (text: string): string => text.replace(/[&<>"]/g, entityOf)
