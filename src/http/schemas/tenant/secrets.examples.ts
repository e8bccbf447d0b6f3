/** Examples of secrets: the support desk's credential for its shop. */

import { LEFT } from '../../../engine/reseal.ts'
import { at } from '../shared/story.ts'

export const SECRET_INPUTS = [
  { value: 'shpat_…', hosts: ['mcp.shop.example'], uses: ['mcp'] },
  { value: 'sk-ant-…', hosts: ['api.anthropic.com'], uses: ['model'] },
]

const secret = {
  object: 'secret',
  name: 'SHOP_TOKEN',
  subject: null,
  version: 3,
  hosts: ['mcp.shop.example'],
  any_host: false,
  uses: ['mcp'],
  created_at: at('08:00:00.000'),
  updated_at: at('08:30:00.000'),
} as const

export const SECRETS = [secret]
export const SECRETS_WRITTEN = [{ ...secret, warnings: [] }]
export const RESEALED = [{ object: 'reseal', resealed: 4, lost: [], left: [...LEFT] }]
