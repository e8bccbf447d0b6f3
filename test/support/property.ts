/** Before each file of unit tests: property tests draw the same 100 cases every time, unless `FULL=1`. */

import fc from 'fast-check'
import { isFull } from './full.ts'

fc.configureGlobal({ numRuns: 100, ...(isFull ? {} : { seed: 20_261_128 }) })
