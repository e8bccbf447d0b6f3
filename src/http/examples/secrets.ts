/** The desk's token for its shop. */

import { LEFT } from '../../engine/reseal.ts'
import { at } from './story.ts'

export const SECRET_INPUTS = [
  { value: 'shpat_…', hosts: ['mcp.shop.example'], uses: ['server' as const] },
  { value: 'sk-ant-…', hosts: ['api.anthropic.com'], uses: ['model' as const] },
  { value: 'a key that goes anywhere', any_host: true },
]

const secret = {
  object: 'secret',
  name: 'SHOP_TOKEN',
  version: 3,
  hosts: ['mcp.shop.example'],
  any_host: false,
  uses: ['server' as const],
  created_at: at('08:00:00.000'),
  updated_at: at('08:30:00.000'),
} as const

export const SECRETS = [secret]
export const SECRETS_PUT = [{ ...secret, warnings: [] }]
export const RESEALED = [{ object: 'reseal' as const, resealed: 1, lost: [], left: [...LEFT] }]
