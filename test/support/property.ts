/**
 * Before each file of unit tests: property tests draw the same 100 cases every time. With `FULL=1`
 * they draw as many as they name, from `PROOF_SEED` or a seed that a failure prints.
 */

import fc from 'fast-check'
import { isFull } from './full.ts'

const given = isFull ? process.env.PROOF_SEED : 20_261_128

fc.configureGlobal({ numRuns: 100, ...(given === undefined ? {} : { seed: Number(given) }) })
