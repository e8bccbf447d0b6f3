/**
 * Entry point of the process. Node strips types as it loads each file; its compile cache keeps the
 * result between starts, which saves that work and its memory. It must be on before anything else
 * is loaded.
 */

import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./main.ts')
