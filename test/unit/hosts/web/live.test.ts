/** Reading along from another process, on a store in memory. */

import { memoryStore } from '../../../../src/hosts/memory/store.ts'
import { liveContract, steppedTime } from '../../../contract/live.ts'

liveContract('memory', memoryStore, steppedTime)
