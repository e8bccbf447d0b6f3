/** Example of a run configuration, from the triage run. */

import { AGENT, digestOf, etagOf, LAYER, MODEL, RUN } from '../shared/story.ts'

export const RUN_CONFIGS = [
  {
    run_id: RUN,
    object: 'run.config',
    agent: {
      id: AGENT,
      layer: 'roles/support/',
      path: `roles/support/.agents/agents/${AGENT}.md`,
      body_digest: digestOf('prompt'),
    },
    model: MODEL,
    window: 200_000,
    fallbacks: [],
    model_settings: null,
    limits: {
      max_steps: 20,
      timeout_seconds: 3_600,
      model_patience_seconds: 3_600,
      max_tokens: 200_000,
      max_model_calls: null,
      max_cost_usd: null,
      max_children: 1_000,
      max_depth: 1,
    },
    config_digest: digestOf('config'),
    pin_digest: digestOf('pin'),
    prompt: "You answer the shop's tickets. Follow the refund policy.\n",
    notes: [],
    output_schema: null,
    structured_output: null,
    tools: [
      {
        name: 'mcp__helpdesk__refund',
        description: 'Books a refund.',
        input_schema: {
          type: 'object',
          properties: { order: { type: 'string' }, amount: { type: 'number' } },
          required: ['order', 'amount'],
        },
        source: 'mcp',
        server: 'helpdesk',
        server_tool: 'refund',
        rule: 'ask',
        ruled_by: 'the skill refund-policy',
      },
    ],
    missing_tools: [{ tool: 'web_search', why: 'no such tool is configured' }],
    servers: [
      {
        name: 'helpdesk',
        transport: 'http',
        url: 'https://helpdesk.shop.example/mcp',
        command: null,
        cwd: null,
        args: [],
        env: [],
        http_headers: ['X-Shop'],
        env_http_headers: {},
        bearer_token_env_var: 'HELPDESK_TOKEN',
        layer: LAYER,
      },
    ],
    missing_servers: [],
    skills: [
      {
        id: 'refund-policy',
        description: 'When and how much the shop refunds.',
        path: 'roles/support/.agents/skills/refund-policy/SKILL.md',
        file_digest: digestOf('refund-policy'),
        files: [{ path: 'amounts.md', etag: etagOf('amounts') }],
      },
    ],
    agents: [{ id: 'order-lookup', body_digest: digestOf('order-lookup') }],
    layers: [
      { kind: 'base', layer: LAYER },
      { kind: 'role', layer: 'roles/support/' },
    ],
    warnings: [],
  },
]
