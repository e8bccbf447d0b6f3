/**
 * First layer and test that `strata init` writes: one commented file of each kind, and the JSON
 * Schemas with which editors check and complete these files.
 */

import { fileSchema } from '../core/config/file-schemas.ts'
import { FILE_TYPES } from '../core/config/types.ts'

const AGENT = `---
# yaml-language-server: $schema=../../../.schemas/agent.json
# A run with \`"agent": "researcher"\` uses this file; its prompt is the text below the front matter.
name: researcher
# Other agents read this to decide when to delegate a task.
description: Finds things out and answers with sources. Give it one question.
# The only tools that this agent has; without this line, it has all safe tools.
tools: file_read, file_list, content_search, web_fetch, skill, todo
# model: sonnet             an alias, or provider/model; without this line, the default model
# memory: agent             lets the agent remember facts between runs
---
You answer one question. Read before you answer, say where each fact is from, and say plainly what
you could not find out. Load the skill \`report\` before you write more than a paragraph.
`

const SKILL = `---
# yaml-language-server: $schema=../../../../.schemas/skill.json
# A skill is knowledge on demand: models see the description and load the text when they need it.
name: report
description: The form of a written report. Load it before writing more than a paragraph.
---
# Report

The answer in the first sentence. Then the facts, one line each with its source. Then what is not
known. No introduction, no summary at the end.
`

const SERVERS = `#:schema ../../.schemas/config.json
# MCP servers. Agents see their tools as mcp__<server>__<tool>.

[mcp_servers.tickets]
url = "https://mcp.example.com/mcp"
# The name of a variable, never the secret itself. The server must allow layers to use it:
# STRATA_SECRETS=TICKETS_TOKEN@mcp.example.com
bearer_token_env_var = "TICKETS_TOKEN"
# This server does not exist; enter your own and remove this line.
enabled = false

# "ask" requires a person's approval, "deny" rejects the call; other tools run immediately.
[mcp_servers.tickets.approval]
"create_*" = "ask"
"delete_*" = "deny"
`

const SCHEDULE = `---
# yaml-language-server: $schema=../../../.schemas/schedule.json
# The front matter sets the times; the text below it is the input of each run. To enable it, run:
#   npx strata schedule morning --on
description: A note on every working day.
cron: 0 8 * * 1-5
timezone: Europe/Berlin
agent: researcher
# Skip a run while the previous one is still active.
overlap: skip
---
It is {{slot.date}}. Write three lines on what happened on this day in earlier years.
`

const ENVIRONMENT = `# Copy this file to .env, which \`strata dev\` reads. Keep .env out of git.

# Set one of these; without a key, a scripted model answers.
# OPENAI_API_KEY=
# ANTHROPIC_API_KEY=
# Your own server with an OpenAI-compatible API, for example Ollama or vLLM:
# OPENAI_BASE_URL=http://127.0.0.1:11434/v1

# The default model, \`provider/model\`:
# STRATA_MODEL=

# Secrets that layers may use, each with the host that may receive it:
# STRATA_SECRETS=TICKETS_TOKEN@mcp.example.com
# TICKETS_TOKEN=

# Disabled by default: MCP servers that are local programs; servers and webhooks on this machine.
# ALLOW_STDIO_MCP=true
# ALLOW_LOOPBACK=true
`

const TEST = `---
# A test of the layer: \`npx strata test\` runs it in memory, without a server or a key.
agent: researcher
# The scripted model answers with these lines. Without them, a real model answers if a key is set.
# To replay a recording made by \`strata test --record\`, use \`replay: <file>\` instead.
script: |
  @call skill {"name":"report"}
  @say The answer in the first sentence.
expect:
  status: completed
  calls:
    - { tool: skill, arguments: { name: report } }
  no_calls: [file_write]
  text: first sentence
# A model judges the answer by this criterion, for answers without a fixed text (requires a key):
#  judge: The first sentence answers the question.
---
What is the tallest tower of Berlin? Write a report.
`

/** Contents of `.gitignore`: excludes keys, server data, push caches, and packages. */
export const GITIGNORE = '.env\n.data/\n.strata/\nnode_modules/\n'

/** Contents of the files that `strata init` writes, by path below the folder. */
export const INIT_FILES: Readonly<Record<string, string>> = {
  'base/.agents/agents/researcher.md': AGENT,
  'base/.agents/skills/report/SKILL.md': SKILL,
  'base/.agents/config.toml': SERVERS,
  'base/.agents/schedules/morning.md': SCHEDULE,
  'tests/first.md': TEST,
  '.env.example': ENVIRONMENT,
  '.gitignore': GITIGNORE,
  ...Object.fromEntries(
    FILE_TYPES.map((type) => [
      `.schemas/${type}.json`,
      `${JSON.stringify(fileSchema(type), null, 2)}\n`,
    ]),
  ),
}
