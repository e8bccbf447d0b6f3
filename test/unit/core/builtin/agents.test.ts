import { describe, expect, it } from 'vitest'
import { builtinAgents, builtinSource } from '../../../../src/core/builtin/agents.ts'
import { parseAgentText } from '../../../../src/core/config/agent/agent.ts'
import { spawnable } from '../../../../src/core/config/layer/catalog.ts'

const IDS = ['dream', 'explore', 'file-analyst', 'general', 'research-assistant', 'summarizer']

describe('built-in agents', () => {
  it('are the six, parsed by the regular loader without a finding', () => {
    expect(builtinAgents().map((agent) => agent.id)).toEqual(IDS)
    for (const id of IDS) {
      const { agent, found } = parseAgentText(builtinSource(id) ?? '', id)
      expect([id, agent?.id, found]).toEqual([id, id, []])
      expect(agent?.system_prompt.length).toBeGreaterThan(400)
    }
  })

  it('can all be offered to a model', () => {
    expect(spawnable({ agents: builtinAgents() })).toHaveLength(5)
  })

  it('general inherits every tool, and explore only reads', () => {
    const tools = (id: string) => builtinAgents().find((agent) => agent.id === id)?.tools
    expect(tools('general')).toBeNull()
    expect(tools('explore')).toEqual(['file_read', 'file_list', 'file_search', 'content_search'])
  })

  it('have no source for other names', () => {
    expect(builtinSource('constructor')).toBeUndefined()
  })
})
