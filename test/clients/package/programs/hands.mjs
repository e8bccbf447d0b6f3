// Commands run in a process of its own, whose program has to lie where the built code looks for it.
import { spawnedHands } from './node_modules/strata/dist/hosts/hands/processes.js'

const request = { command: 'echo hi', files: [], timeoutMs: 10_000, cwd: '/', env: {} }
const done = await spawnedHands().shell.run(request, new AbortController().signal)
console.log(done.ok ? done.value.stdout.trim() : done.error)
