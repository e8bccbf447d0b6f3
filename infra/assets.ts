/**
 * `node infra/assets.ts`: writes what the Workers of a deployment from this repository read: the
 * texts of the contract, the console, and the PDF reader.
 */

import { writeAssets } from '../test/tools/assets.ts'
import { buildConsole } from '../test/tools/console.ts'
import { writePdfReader } from './pdf-reader.ts'

writeAssets()
writePdfReader()
await buildConsole()
