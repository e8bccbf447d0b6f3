/** The store in memory keeps the promises of its port. */

import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { storeContract } from '../../../contract/store.ts'

storeContract('memory', memoryStore)
