// Commands run in a process of its own, whose program has to lie where the built code looks for it.
import { isolatedTools } from './node_modules/strata/dist/hosts/sandbox/processes.js'

const request = { command: 'echo hi', files: [], timeoutMs: 10_000, cwd: '/', env: {} }
const done = await isolatedTools().shell.run(request, new AbortController().signal)
console.log(done.ok ? done.value.stdout.trim() : done.error)
