/** Examples of OAuth authorizations for the shop's helpdesk. */

export const LINKS = [
  {
    name: 'helpdesk',
    url: 'https://id.shop.example/authorize?response_type=code&client_id=strata&state=v1.kXb0',
    expires_at: '2026-11-20T09:10:00.000Z',
    redirect_uri: 'https://strata.shop.example/v1/oauth/callback',
  },
]
export const FORGOTTEN_AUTHORIZATIONS = [{ name: 'helpdesk', forgotten: true, revoked: true }]
