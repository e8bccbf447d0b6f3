/** The store in memory keeps the promises of its port. */

import { MAX_SEALED_BODY, memoryStore } from '../../../src/hosts/memory/store.ts'
import { storeContract } from '../../contract/store.ts'

storeContract('memory', () => memoryStore(MAX_SEALED_BODY))
