/** A pack is tested in memory. */

import { type AgentRun, runAgent } from 'strata/testing'

const files = {
  'base/.agents/agents/greeter.md': '---\nname: greeter\ndescription: Greets.\n---\nGreet.\n',
}
const script = '@call todo {"todos":[{"content":"Greet","status":"completed"}]}\n@say Hello.'
const found: AgentRun = await runAgent(files, { input: 'Hi.', agent: 'greeter' }, { script })
console.log(`${found.run.status}: ${found.text} ${found.calls.map(({ tool }) => tool)}`)
