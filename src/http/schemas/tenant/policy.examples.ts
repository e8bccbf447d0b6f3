/** Example of a tenant policy: the shop's helpdesk deletes nothing, and refunds need approval. */

import { MODEL } from '../shared/story.ts'

export const POLICIES = [
  {
    deny: { skills: [], servers: ['old-*'], tools: ['mcp__helpdesk__delete_*'] },
    approvals: { mcp__helpdesk__refund: 'ask' },
    user_facing_tools: null,
    strict: false,
    on_duplicate: 'shadow',
    on_missing_tools: 'refuse',
    on_invalid_role: 'base',
    skills_role_dir: 'skills',
    model_aliases: { fast: 'anthropic/claude-haiku-4-5' },
    prices: { [MODEL]: { input_per_million: 3, output_per_million: 15 } },
    web: { allowed_domains: [], denied_domains: ['example.org'], robots: 'respect' },
    model_patience_seconds: null,
    cors_origins: null,
    approval_links: null,
    memory: { scope: 'shared', start: true },
  },
]
