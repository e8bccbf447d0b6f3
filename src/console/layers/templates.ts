/** Paths and texts of new files: an agent, a skill, a configuration file, or an empty file. */

import type { Template } from './state.ts'

/** Returns the suggested path of a new file. */
export function suggestedPath(template: Template, layer: string): string {
  if (template === 'agent') return `${layer}.agents/agents/my-agent.md`
  if (template === 'skill') return `${layer}.agents/skills/my-skill/SKILL.md`
  if (template === 'config') return `${layer}.agents/config.toml`
  return `${layer}AGENTS.md`
}

const CONFIG = [
  '# MCP servers whose tools the agents of this layer may call.',
  '# [mcp_servers.docs]',
  '# url = "https://docs.example.com/mcp"',
  '',
].join('\n')

/** Returns the name that a path gives to its agent or skill. */
function nameIn(template: Template, path: string): string {
  const parts = path.split('/')
  const file = (parts.at(-1) ?? '').replace(/\.md$/i, '')
  return template === 'skill' && file === 'SKILL' ? (parts.at(-2) ?? file) : file
}

/** Returns the first text of a new file. */
export function templateText(template: Template, path: string): string {
  const name = nameIn(template, path)
  if (template === 'agent') {
    const head = ['---', `name: ${name}`, 'description: Says what the agent is for.', '---']
    return [...head, 'Say what the agent does, and when it stops.', ''].join('\n')
  }
  if (template === 'skill') {
    const head = ['---', `name: ${name}`, 'description: Says when to use the skill.', '---']
    return [...head, 'Describe the steps.', ''].join('\n')
  }
  return template === 'config' ? CONFIG : ''
}
