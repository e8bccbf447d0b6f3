/** `strata tools [name]`: lists the built-in tools of the deployment, as reported by its server. */

import { oneLine } from '../lib/invisible-characters.ts'
import { nearest } from '../lib/nearest-name.ts'
import { clientOf } from './api.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'

/**
 * Lists tools, or shows the tool `name`, which may also be the tool's name in another product. The
 * exit code is 1 if the tool does not exist.
 */
export async function tools(
  terminal: Terminal,
  { name, json }: { readonly name?: string | undefined; readonly json?: boolean },
): Promise<number> {
  const { data } = await clientOf(terminal.env).tools.list()
  if (name === undefined) {
    const lines = json
      ? data.map((tool) => JSON.stringify(tool))
      : tableOf(['name', 'description'], data.map(rowOf))
    for (const line of lines) terminal.out(line)
    return 0
  }
  const isNamed = (word: string) => word.toLowerCase() === name.toLowerCase()
  const matches = data.filter((tool) => [tool.name, ...tool.aliases].some(isNamed))
  if (matches.length === 0) {
    const words = data.flatMap((tool) => [tool.name, ...tool.aliases])
    terminal.err(`strata: unknown tool ${oneLine(name)}; did you mean ${nearest(name, words)}?`)
    return 1
  }
  for (const tool of matches) terminal.out(json ? JSON.stringify(tool) : describe(tool))
  return 0
}

type Tool = Awaited<ReturnType<ReturnType<typeof clientOf>['tools']['list']>>['data'][number]

function rowOf({ name, description, unavailable }: Tool): [string, string] {
  const text = unavailable === null ? firstSentence(description) : `unavailable: ${unavailable}`
  return [name, text]
}

const firstSentence = (text: string): string =>
  /^.*?(?<!e\.g|i\.e)\.(?=\s+[A-Z`]|\s*$)/s.exec(text)?.[0] ?? text

function describe(tool: Tool): string {
  const facts = [
    ['aliases', tool.aliases.join(' ')],
    ['approval', tool.needs_approval ? 'each call requires approval' : 'none by default'],
    ['user-facing', tool.user_facing ? 'yes' : 'no'],
    ['offered unless', tool.condition ?? ''],
    ['unavailable', tool.unavailable ?? ''],
  ]
  const lines = facts.filter(([, text]) => text !== '').map(([key, text]) => `${key}: ${text}`)
  const schema = JSON.stringify(tool.input_schema, null, 2)
  return [tool.name, tool.description, '', ...lines, `arguments: ${schema}`].join('\n')
}
