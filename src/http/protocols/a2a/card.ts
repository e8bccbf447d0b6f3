/**
 * Builds A2A agent cards. The card without a key names no agent of a tenant. With a key, each base
 * layer agent that is not `internal` has a card.
 */

import { findAgent, spawnable } from '../../../core/config/layer/catalog.ts'
import type { AgentEntry } from '../../../core/config/types.ts'
import { resolveLayers } from '../../../engine/layers/resolve.ts'
import type { World } from '../../../ports/world.ts'
import { granted } from '../../request/problem.ts'

export const VERSION = '1.0'
/** Agent described by the card without a key; a built-in agent. */
const DEFAULT_AGENT = 'general'

const MEDIA_IN = [
  ...['text/plain', 'application/json', 'application/pdf', 'image/png', 'image/jpeg'],
  ...['image/gif', 'image/webp', 'audio/wav', 'audio/mpeg'],
]
export const TEXT = 'text/plain'
export const JSON_TYPE = 'application/json'

/** Returns the tenant's agents that are listed and reachable by A2A. */
export async function exposedAgents(world: World, tenant: string): Promise<readonly AgentEntry[]> {
  const selection = { strict: false, on_duplicate: 'shadow' } as const
  return spawnable(granted(await resolveLayers(world, tenant, selection)))
}

/** Returns the named agent; undefined if the agent does not exist or is not listed. */
export const exposedAgent = async (
  world: World,
  tenant: string,
  name: string,
): Promise<AgentEntry | undefined> =>
  findAgent({ agents: await exposedAgents(world, tenant) }, name)

export const publicCard = (url: string) =>
  card(url, DEFAULT_AGENT, {
    name: 'Strata',
    description:
      'Runs agents durably. With an API key, GET /v1/a2a lists a card for each agent, and ' +
      "GetExtendedAgentCard returns this agent's card.",
    skill: {
      id: DEFAULT_AGENT,
      name: DEFAULT_AGENT,
      description: 'Works on a task with tools and subagents, and returns the result',
    },
  })

export const agentCard = (url: string, { id, display_name, description }: AgentEntry) =>
  card(url, id, {
    name: display_name,
    description,
    skill: { id, name: display_name, description },
  })

interface AgentSummary {
  readonly name: string
  readonly description: string
  readonly skill: { readonly id: string; readonly name: string; readonly description: string }
}

const card = (url: string, agent: string, { name, description, skill }: AgentSummary) => ({
  name,
  description,
  supportedInterfaces: [
    {
      url: `${url}/v1/a2a/${encodeURIComponent(agent)}`,
      protocolBinding: 'JSONRPC',
      protocolVersion: VERSION,
    },
  ],
  version: '1',
  documentationUrl: `${url}/docs`,
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  securitySchemes: {
    key: { httpAuthSecurityScheme: { scheme: 'bearer', description: 'API key' } },
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  defaultInputModes: MEDIA_IN,
  defaultOutputModes: [TEXT, JSON_TYPE],
  skills: [{ ...skill, tags: ['agent'] }],
})
