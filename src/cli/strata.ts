#!/usr/bin/env node
/**
 * Entry point of the process. This file can be parsed by older versions of Node, which are rejected
 * with a message. The compile cache keeps compiled code between starts, which saves time and
 * memory; it must be enabled before other modules load.
 */

const [major = 0] = process.versions.node.split('.').map(Number)
if (major >= 24) {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  await import('./main.ts')
} else {
  const runtime = `this is Node ${process.versions.node}`
  process.stderr.write(
    `strata: Node 24 or newer is required, but ${runtime}; see https://nodejs.org\n`,
  )
  process.exitCode = 1
}
