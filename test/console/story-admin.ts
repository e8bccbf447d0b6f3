/** Keys of the support desk and changes of its policy and prices, for pictures. */

import type { Server } from '../support/launch.ts'

const DAY_MS = 86_400_000

const AGENT = '---\nname: refunds\ndescription: Decides about refunds.\n---\nBe brief.\n'

interface Entry {
  readonly version: string
}

/** Fills keys, prices, and the audit log. Returns the paths of pages below /console by names. */
export async function tellAdmin(server: Server): Promise<Readonly<Record<string, string>>> {
  const expiry = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString()
  const create = (json: object): Promise<{ id: string }> =>
    server.get('/v1/keys', { method: 'POST', json })
  await create({ name: 'Nightly build', scopes: ['runs:*'], expires_at: expiry(3) })
  const desk = await create({
    name: 'Support desk',
    scopes: ['runs:*', 'sessions:*', 'approvals:read', 'layers:write:roles/support/'],
    expires_at: expiry(180),
  })
  const putSecret = (name: string, json: object) =>
    server.get(`/v1/secrets/${name}`, { method: 'PUT', json })
  const hosts = ['mcp.shop.example', '*.shop.example']
  await putSecret('SHOP_TOKEN', { value: 'shpat-of-the-shop', hosts })
  const model = { hosts: ['api.anthropic.com'], uses: ['model'] }
  await putSecret('ANTHROPIC_API_KEY', { value: 'sk-of-the-desk', ...model })
  await putSecret('HELPDESK_TOKEN', { value: 'token-of-the-desk', any_host: true })
  await server.get(`/v1/keys/${desk.id}`, {
    method: 'PATCH',
    json: { scopes: ['runs:*', 'sessions:*', 'approvals:read'], addresses: ['203.0.113.0/24'] },
  })
  for (const promise of ['money', 'more than 100 EUR'])
    await server.get('/v1/agents/refunds?layer=roles/support/', {
      method: 'PUT',
      json: { agent_md: `${AGENT}Ask before you promise ${promise}.\n` },
    })
  const tenant = (id: string, name: string) =>
    server.get('/v1/tenants', { method: 'POST', json: { id, name } })
  await tenant('umbrella', 'Umbrella Support GmbH')
  await tenant('northwind', 'Northwind Traders')
  await server.get('/v1/tenants/umbrella', {
    method: 'PATCH',
    json: {
      quotas: {
        active_runs: 20,
        queued_runs: 100,
        hooks: 5,
        keys: 3,
        tokens_per_day: 2_000_000,
        dollars_per_month: 250,
      },
    },
  })
  await server.get('/v1/tenants/default', {
    method: 'PATCH',
    json: { quotas: { active_runs: 200, tokens_per_month: 5_000_000 } },
  })
  await server.get('/v1/tenants/northwind/suspend', { method: 'POST' })
  const { data } = await server.get<{ data: readonly Entry[] }>('/v1/audit?kind=agent')
  const query = `kind=key&action=update&name=${desk.id}`
  const { data: edits } = await server.get<{ data: readonly Entry[] }>(`/v1/audit?${query}`)
  return {
    keys: 'keys',
    key: `keys?sel=${desk.id}`,
    secrets: 'secrets',
    secret: 'secrets?sel=SHOP_TOKEN',
    tenants: 'tenants',
    tenant: 'tenants?sel=umbrella',
    'tenant-suspended': 'tenants?sel=northwind',
    usage: 'usage?of=tokens',
    'usage-kind': 'usage?of=runs&by=kind',
    audit: 'audit',
    'audit-entry': `audit?sel=${data[0]?.version}`,
    'audit-key': `audit?kind=key&sel=${edits[0]?.version}`,
    settings: 'settings',
    'settings-models': 'settings?tab=models',
    'settings-tools': 'settings?tab=tools',
    'settings-limits': 'settings?tab=limits&q=steps',
    'settings-readiness': 'settings?tab=readiness',
    'settings-sessions': 'settings?tab=sessions',
    'settings-browser': 'settings?tab=browser',
  }
}
