#!/usr/bin/env node
/**
 * Entry point of the process. Older versions of Node can parse this file too, and are rejected with
 * a message. The compile cache keeps compiled code between starts, which saves time and memory, and
 * must be enabled before other modules load.
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
