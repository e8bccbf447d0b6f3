#!/usr/bin/env node
/**
 * Entry point of the process, which also older versions of Node can read: they are refused by a
 * sentence. The compile cache keeps what is compiled between starts, which saves that work and its
 * memory; it must be on before anything else is loaded.
 */

const [major = 0] = process.versions.node.split('.').map(Number)
if (major >= 24) {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('./main.ts')
} else {
  const runtime = `this is Node ${process.versions.node}`
  process.stderr.write(`strata: Node 24 or newer is required, and ${runtime}: https://nodejs.org\n`)
  process.exitCode = 1
}
