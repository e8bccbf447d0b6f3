/** All attacks, by their names. */

import type { Attack } from '../attack.ts'
import { CLIENTS } from './client.ts'
import { FILES } from './files.ts'
import { HOOKS } from './hook.ts'
import { MCPS } from './mcp.ts'
import { MODELS } from './model.ts'
import { RECEIVERS } from './receiver.ts'

export const ATTACKS: readonly Attack[] = [
  ...MODELS,
  ...MCPS,
  ...RECEIVERS,
  ...FILES,
  ...CLIENTS,
  ...HOOKS,
]
