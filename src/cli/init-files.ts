/**
 * First layer and test that `strata init` writes: one commented file of each kind, and the JSON
 * Schemas that let editors check and complete them.
 */

import { fileSchema } from '../core/config/file-schemas.ts'
import { FILE_TYPES } from '../core/config/types.ts'

const AGENT = `---
# yaml-language-server: $schema=../../../.schemas/agent.json
# A run with \`"agent": "researcher"\` has this file's rights and begins with the text below the head.
name: researcher
# Other agents read this to decide whom they give a task.
description: Finds things out and answers with sources. Give it one question.
# The tools that it has, and no others; without this line it has all that are safe.
tools: file_read, file_list, content_search, web_fetch, skill, todo
# model: sonnet             an alias, or provider/model; without this line the default one
# memory: agent             lets it remember things from one run to the next
---
You answer one question. Read before you answer, say where each fact is from, and say plainly what
you could not find out. Load the skill \`report\` before you write more than a paragraph.
`

const SKILL = `---
# yaml-language-server: $schema=../../../../.schemas/skill.json
# A skill is knowledge for later: models see the description, and load the text when it fits.
name: report
description: The form of a written report. Load it before writing more than a paragraph.
---
# Report

The answer in the first sentence. Then the facts, one line each with its source. Then what is not
known. No introduction, no summary at the end.
`

const SERVERS = `#:schema ../../.schemas/config.json
# MCP servers, whose tools agents see as mcp__<server>__<tool>.

[mcp_servers.tickets]
url = "https://mcp.example.com/mcp"
# The name of a variable, never the secret itself. Layers may use it where the server allows it:
# STRATA_SECRETS=TICKETS_TOKEN@mcp.example.com
bearer_token_env_var = "TICKETS_TOKEN"
# There is no such server: put in your own, and take this line out.
enabled = false

# A person decides about these before they are called; others run at once.
[mcp_servers.tickets.approval]
"create_*" = "ask"
"delete_*" = "deny"
`

const SCHEDULE = `---
# yaml-language-server: $schema=../../../.schemas/schedule.json
# The head says when, the text below it is the input of each run. The file alone starts nothing:
#   npx strata schedule morning --on
description: A note on every working day.
cron: 0 8 * * 1-5
timezone: Europe/Berlin
agent: researcher
# When one still runs as the next is due: skip it.
overlap: skip
---
It is {{slot.date}}. Write three lines on what happened on this day in earlier years.
`

const ENVIRONMENT = `# Copy it to .env: \`strata dev\` reads that. Keep it out of git.

# One of these; without any a scripted model answers.
# OPENAI_API_KEY=
# ANTHROPIC_API_KEY=
# A server of your own that speaks OpenAI's protocol, for example Ollama or vLLM:
# OPENAI_BASE_URL=http://127.0.0.1:11434/v1

# The default model, \`provider/model\`:
# STRATA_MODEL=

# Secrets that layers may use, each with the host where it may go:
# STRATA_SECRETS=TICKETS_TOKEN@mcp.example.com
# TICKETS_TOKEN=

# Off until you ask: MCP servers that are programs here, and servers and webhooks on this machine.
# ALLOW_STDIO_MCP=true
# ALLOW_LOOPBACK=true
`

const TEST = `---
# A test of the layer: \`npx strata test\` runs it in memory, without a server or a key.
agent: researcher
# The scripted model answers, line by line. Without these lines a real one does, when a key is set;
# \`replay: <file>\` in their place is a recording, which \`strata test --record\` makes.
script: |
  @call skill {"name":"report"}
  @say The answer in the first sentence.
expect:
  status: completed
  calls:
    - { tool: skill, arguments: { name: report } }
  no_calls: [file_write]
  text: first sentence
# A model that judges by a sentence, for answers that no text describes (needs a key):
#  judge: The first sentence answers the question.
---
What is the tallest tower of Berlin? Write a report.
`

/** Ignore rules for keys, server data, push caches, and packages. */
export const GITIGNORE = '.env\n.data/\n.strata/\nnode_modules/\n'

/** File contents by path below the folder. */
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
