/** Rule 45a on D1, in workerd: every child's end wakes a Worker, and the model is asked once. */

import { d1Store } from '../../../../src/hosts/cloudflare/ports/d1.ts'
import { announcesContract } from '../../../contract/announces.ts'
import { env, migrate } from './env.ts'

await migrate()

announcesContract('D1', () => d1Store(env.DB))
