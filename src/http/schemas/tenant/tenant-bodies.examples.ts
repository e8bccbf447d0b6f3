/**
 * Examples of request bodies that change a tenant's resources, by operation, as shown in `/docs`.
 */

import { type BodyExamples, replaced } from '../shared/body-example.ts'
import { APPROVAL, RUN } from '../shared/story.ts'

const DIGEST = {
  cron: '0 7 * * 1-5',
  timezone: 'Europe/Berlin',
  input: 'Write the digest of {{slot.date}}.',
}
const UNANSWERED = { every: '15m', input: 'List the tickets that have no answer.' }

export const TENANT_BODIES: BodyExamples = {
  resolveLayers: {
    base: { summary: 'Resolve the base layer', value: {} },
    role: { summary: 'Resolve the base layer with a role', value: { role: 'support' } },
    overlay: {
      summary: 'Resolve the base layer with an edited file, without storing it',
      value: {
        overlay: {
          files: [
            {
              path: 'base/.agents/agents/triage.md',
              text: '---\nname: triage\ndescription: Sorts tickets.\n---\nSort one ticket.\n',
            },
          ],
        },
      },
    },
  },
  importLayer: {
    plan: {
      summary: 'Plan an import',
      description:
        'Replace `from` with a folder that contains files, as written with ' +
        '`PUT /v1/files/{path}`; the folder shown is an example.',
      value: { from: 'imports/helpdesk/', layer: 'repos/shop/' },
    },
    apply: {
      summary: 'Perform an import',
      description:
        'Replace `from` with a folder that contains files, as written with ' +
        '`PUT /v1/files/{path}`; the folder shown is an example.',
      value: { from: 'imports/helpdesk/', layer: 'repos/shop/', dry_run: false },
    },
  },
  diffResolved: {
    roles: {
      summary: 'Compare the base layer with a role',
      value: { left: {}, right: { role: 'support' } },
    },
  },
  reloadRuntime: {
    all: { summary: 'Reload every layer', value: {} },
    role: { summary: 'Reload one role', value: { role: 'support' } },
  },
  createApiKey: {
    limited: {
      summary: 'Create an expiring key for runs',
      value: {
        name: 'The desk',
        scopes: ['runs:*', 'approvals:read'],
        expires_at: '2035-01-01T00:00:00Z',
      },
    },
    full: { summary: 'Create a key with all scopes', value: { scopes: ['*'] } },
  },
  putSecret: {
    server: {
      summary: 'Store a credential for an MCP server',
      value: { value: 'shpat_example', hosts: ['mcp.shop.example'], uses: ['mcp'] },
    },
    model: {
      summary: "Use the tenant's own key for a model provider",
      value: { value: 'sk-ant-example', hosts: ['api.anthropic.com'], uses: ['model'] },
    },
  },
  updateApiKey: {
    limits: {
      summary: 'Restrict a key to addresses and a rate limit',
      value: {
        addresses: ['203.0.113.0/24', '2001:db8::/48'],
        rate_limits: { requests_per_second: 50 },
      },
    },
    anywhere: { summary: 'Remove the address restriction', value: { addresses: null } },
  },
  createBrowserSession: {
    key: {
      summary: 'Sign in with an API key',
      description: 'Replace `key` with your API key; the key shown is an example.',
      value: { key: 'strata_3v7b0d1x9k2m4q8r_0' },
    },
    link: {
      summary: 'Sign in with a link',
      description:
        'Replace `token` with the part after `#t=` in the `url` of `POST /v1/sign-in-links`; ' +
        'the token shown is an example.',
      value: { token: 'strata_sign_in_0' },
    },
  },
  createSignInLink: {
    full: { summary: "Create a link with the key's scopes", value: {} },
    reader: {
      summary: 'Create a link that only reads runs',
      value: { scopes: ['runs:read'], expires_in: 60 },
    },
  },
  createToken: {
    tenant: {
      summary: 'Create a token that reads all runs',
      value: { for: { tenant: true }, scopes: ['runs:read'] },
    },
    run: {
      summary: 'Create a token for one run',
      description: replaced('for.run', '`GET /v1/runs`'),
      value: { for: { run: RUN }, scopes: ['runs:read', 'approvals:read'], expires_in: 3_600 },
    },
  },
  createAccessLink: {
    approval: {
      summary: 'Create a link for deciding one approval',
      description: replaced('for.approval', '`GET /v1/approvals`'),
      value: { for: { approval: APPROVAL }, may: 'decide', expires_in: 172_800 },
    },
  },
  createWebhookEndpoint: {
    all: {
      summary: 'Send every event to a URL',
      value: { url: 'https://desk.shop.example/strata' },
    },
    some: {
      summary: 'Send run and approval events',
      value: {
        url: 'https://desk.shop.example/strata',
        events: ['run.*', 'approval.requested'],
        description: 'The desk',
      },
    },
  },
  replayWebhookDeliveries: {
    day: {
      summary: 'Resend the failed deliveries from one morning',
      value: { from: '2026-11-23T00:00:00Z', to: '2026-11-23T12:00:00Z', status: 'failed' },
    },
  },
  createHook: {
    tickets: {
      summary: 'Start a run for each new ticket',
      value: {
        scheme: 'standard',
        template: 'Ticket {{ticket.id}}: {{ticket.text}}',
        events: ['ticket.created'],
        description: 'Helpdesk tickets',
        limits: { max_steps: 20 },
      },
    },
  },
  createSchedule: {
    every: {
      summary: 'Run every 15 minutes',
      value: UNANSWERED,
    },
    cron: { summary: 'Run at seven on weekdays', value: DIGEST },
  },
  putSchedule: {
    cron: {
      summary: 'Run at seven on weekdays',
      value: { ...DIGEST, overlap: 'skip', catch_up: 'latest' },
    },
    every: {
      summary: 'Run every 15 minutes',
      value: UNANSWERED,
    },
  },
  putScheduleSource: {
    role: {
      summary: 'Read the schedule from a role',
      description: 'Replace `role` with a role whose layer has the schedule.',
      value: { role: 'support' },
    },
    repository: {
      summary: 'Read the schedule from a repository',
      description: 'Replace `repo_dir` and `file` with a folder and a schedule file that exist.',
      value: { repo_dir: 'repos/app', file: 'nightly' },
    },
  },
}
