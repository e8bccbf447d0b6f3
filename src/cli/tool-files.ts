/** Custom tool that `strata init --tool` writes: an MCP server over stdio or HTTP. */

const TYPESCRIPT = `/**
 * An MCP server. Agents of the layer call its tools as mcp__hours__<name>.
 *   npm install @modelcontextprotocol/server @hono/node-server zod
 *   strata dev                                           starts it, and restarts it on save
 *   PORT=9000 HOURS_TOKEN=<token> node tools/hours.mts   serves it over HTTP
 */

import { serve } from '@hono/node-server'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'

function hours(): McpServer {
  const server = new McpServer({ name: 'hours', version: '1.0.0' })
  const about = {
    description: 'The opening hours of a shop on a weekday',
    inputSchema: z.object({ shop: z.string(), weekday: z.string() }),
  }
  server.registerTool('opening_hours', about, async ({ shop, weekday }) => {
    const open = weekday === 'Sunday' ? 'is closed' : 'opens from 9 to 18'
    return { content: [{ type: 'text', text: \`The shop in \${shop} \${open} on \${weekday}.\` }] }
  })
  return server
}

const { HOST = '127.0.0.1', PORT, HOURS_TOKEN } = process.env
if (PORT === undefined) serveStdio(hours)
else if (!HOURS_TOKEN) throw new Error('Set HOURS_TOKEN to the token that callers must send.')
else {
  const { fetch } = createMcpHandler(hours)
  const guarded = (request: Request) =>
    request.headers.get('authorization') === \`Bearer \${HOURS_TOKEN}\`
      ? fetch(request)
      : new Response('Invalid token.', { status: 401 })
  serve({ fetch: guarded, hostname: HOST, port: Number(PORT) }, ({ port }) =>
    console.log(\`listens on http://\${HOST}:\${port}/mcp\`),
  )
}
`

const PYTHON = `"""An MCP server in plain Python. Agents call its tools as mcp__hours__<name>.

  strata dev                                             starts it, and restarts it on save
  PORT=9000 HOURS_TOKEN=<token> python3 tools/hours.py   serves it over HTTP
"""

import hmac
import http.server
import json
import os
import sys


def opening_hours(shop, weekday):
    open_ = "is closed" if weekday == "Sunday" else "opens from 9 to 18"
    return f"The shop in {shop} {open_} on {weekday}."


TEXT = {"type": "string"}
TOOLS = [
    {
        "name": "opening_hours",
        "description": "The opening hours of a shop on a weekday",
        "inputSchema": {
            "type": "object",
            "properties": {"shop": TEXT, "weekday": TEXT},
            "required": ["shop", "weekday"],
        },
    },
]
FUNCTIONS = {"opening_hours": opening_hours}


def call(name, arguments):
    try:
        text, failed = str(FUNCTIONS[name](**arguments)), False
    except Exception as error:
        text, failed = f"{type(error).__name__}: {error}", True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def answer(message):
    """The response to a JSON-RPC request; None for a notification."""
    if "id" not in message:
        return None
    params = message.get("params") or {}
    response = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        response["result"] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hours", "version": "1.0.0"},
        }
    elif message["method"] == "tools/list":
        response["result"] = {"tools": TOOLS}
    elif message["method"] == "tools/call":
        response["result"] = call(params["name"], params.get("arguments") or {})
    elif message["method"] == "ping":
        response["result"] = {}
    else:
        response["error"] = {"code": -32601, "message": "Method not found"}
    return response


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        given = self.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {TOKEN}".encode()):
            return self.reply(401, {"error": "Invalid token."})
        response = answer(json.loads(body))
        self.reply(202 if response is None else 200, response)

    def reply(self, status, value):
        text = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


HOST = os.environ.get("HOST", "127.0.0.1")
PORT, TOKEN = os.environ.get("PORT"), os.environ.get("HOURS_TOKEN")
if PORT is None:
    for line in sys.stdin:
        response = answer(json.loads(line))
        if response is not None:
            print(json.dumps(response), flush=True)
elif not TOKEN:
    sys.exit("Set HOURS_TOKEN to the token that callers must send.")
else:
    server = http.server.ThreadingHTTPServer((HOST, int(PORT)), Handler)
    print(f"listens on http://{HOST}:{server.server_port}/mcp", flush=True)
    server.serve_forever()
`

export interface ToolFile {
  readonly path: string
  readonly text: string
  readonly command: string
}

export const TOOL_LANGUAGES = ['typescript', 'python'] as const
export type ToolLanguage = (typeof TOOL_LANGUAGES)[number]

/** Tool program in each language. */
export const TOOL_FILES: Readonly<Record<ToolLanguage, ToolFile>> = {
  typescript: { path: 'tools/hours.mts', text: TYPESCRIPT, command: 'node' },
  python: { path: 'tools/hours.py', text: PYTHON, command: 'python3' },
}

/** Folder of the programs that layers name; watched by `strata dev`. */
export const TOOLS_FOLDER = 'tools'

export const TOOL_CONFIG = 'base/.agents/config.toml'
export const TOOL_TABLE = '[mcp_servers.hours]'

/** Returns the configuration entry of the tool. */
export const toolEntry = (tool: ToolFile): string => `${TOOL_TABLE}
# A local program, which the server starts if ALLOW_STDIO_MCP=true (in .env for \`strata dev\`).
${toolProgram(tool).join('\n')}
# The same program over HTTP, for a remote server; STRATA_SECRETS must name its secret:
# url = "https://hours.example.com/mcp"
# bearer_token_env_var = "HOURS_TOKEN"
`

/** Returns the lines of a tool's configuration entry that name its program. */
export const toolProgram = ({ command, path }: ToolFile): readonly string[] => [
  `command = "${command}"`,
  `args = ["${path}"]`,
]
