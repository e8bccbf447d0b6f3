/**
 * `node test/tools/packs.ts [FOLDER]`: which agents of public packs have all the tools that they name, on
 * each home as it is deployed with a search provider; and, of the others, what they lack. An agent
 * that inherits everything is promised nothing by name and counts as whole.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { builtinAgents } from '../../src/core/builtin/agents.ts'
import { parseAgentText } from '../../src/core/config/agent/agent.ts'
import type { AgentEntry } from '../../src/core/config/types.ts'
import { builtinLack, serverOf } from '../../src/core/tools/available.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '../../../shared/packs')

/** Files that stand among agents and are none. */
const NO_AGENT = /^(?:README|CLAUDE|AGENTS|LICENSE|CHANGELOG|CONTRIBUTING)/i

type Agent = Pick<AgentEntry, 'tools'>

function agentsIn(root: string): Agent[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => /(?:^|\/)(?:agents|categories)\/.*\.md$/.test(path))
  return files.flatMap((path) => {
    if (NO_AGENT.test(basename(path)) || /\/skills\//.test(path)) return []
    const { agent } = parseAgentText(readFileSync(join(root, path), 'utf8'), basename(path, '.md'))
    return agent ? [agent] : []
  })
}

/** Tools of ours that it names and nobody performs; those of servers are its layer's to bring. */
const lacking = ({ tools }: Agent): string[] =>
  (tools ?? []).filter((grant) => serverOf(grant) === undefined && builtinLack(grant) !== undefined)

if (!existsSync(folder)) {
  console.log(`skipped: there are no packs at ${folder}`)
  process.exit(0)
}
const all: Agent[] = [...agentsIn(folder), ...builtinAgents()]
const wrong = all.filter((agent) => lacking(agent).length > 0)
const counts = new Map<string, number>()
for (const tool of wrong.flatMap(lacking)) counts.set(tool, (counts.get(tool) ?? 0) + 1)
const share = ((100 * (all.length - wrong.length)) / all.length).toFixed(1)
console.log(`${all.length} agents, ${share} % have all tools that they name`)
for (const [tool, count] of [...counts].sort((a, b) => b[1] - a[1]))
  console.log(`  ${tool}: ${count} agents (${builtinLack(tool)})`)
