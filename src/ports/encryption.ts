/** Tenants whose rows and objects lie encrypted, each under a data key of its own. */

import { Unavailable } from '../lib/unavailable.ts'
import type { Store } from './store.ts'

/**
 * Rows as they lie, sealed where their tenant's are: for who only counts them, and for who removes
 * what no key opens any more.
 */
export type StoredRows = Pick<Store, 'read' | 'heads' | 'list'>

/** Something of a tenant lies encrypted, and its data key is gone or does not open it. */
export class DataKeyMissing extends Unavailable {}
