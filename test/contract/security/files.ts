/**
 * Files of agents and servers that must be refused when they are written (M, T): the code is that of
 * the finding which the loader has about the same text.
 */

import { type Ask, bytes, type Case, json, type Reply } from './kit.ts'

interface Problem {
  readonly code?: string
  readonly errors?: readonly { readonly message: string }[]
}

const file = (head: string, body = 'You help.\n', name = 'helper', description = 'Helps.') =>
  `---\nname: ${name}\ndescription: ${description}\n${head}---\n${body}`

/** The code of a finding stands at the end of its sentence. */
const findingOf = ({ errors: [first] = [], code }: Problem): string | undefined =>
  /\[(\w+)\]$/.exec(first?.message ?? '')?.[1] ?? code

const written =
  (path: string, value: object): Ask =>
  async ({ client }): Promise<Reply> => {
    const { status, body } = await json(client, 'PUT', path, value)
    return { status, code: findingOf(body as Problem) }
  }

/** The file of an agent. */
const agent = (agent_md: string): Ask => written('/v1/agents/helper', { agent_md })

/** The tools that an agent gets by its file, which is accepted. */
const withTools =
  (head: string, expected: string): Ask =>
  async ({ client }): Promise<Reply> => {
    const agent_md = file(head, 'You help.\n', 'toolbox')
    const { status, body } = await json(client, 'PUT', '/v1/agents/toolbox', { agent_md })
    const { tools } = (body as { agent: { tools: string[] | null } }).agent
    const text = JSON.stringify(tools)
    return { status: Math.min(status, 200), code: text === expected ? undefined : text }
  }

/** An entry of a server, by its members. */
const server = (entry: object, name = 'docs'): Ask => written(`/v1/mcp-servers/${name}`, entry)

let folders = 0
/** A configuration file in a folder of its own: it is stored, and refused where findings count. */
const config =
  (text: string | Buffer): Ask =>
  async (host): Promise<Reply> => {
    folders += 1
    const folder = `repos/config-${folders}`
    const path = `/v1/files/${folder}/.agents/config.toml`
    const stored = await bytes('PUT', path, text)(host)
    if (stored.status >= 400) return stored
    return json(host.client, 'POST', '/v1/resolve', { repo_dir: folder, strict: true })
  }

/** A configuration that is valid, with a server that is not available; the code is the reason. */
const unavailable =
  (text: string): Ask =>
  async ({ client }): Promise<Reply> => {
    folders += 1
    const folder = `repos/config-${folders}`
    await client.ask(`/v1/files/${folder}/.agents/config.toml`, { method: 'PUT', body: text })
    const { status, body } = await json(client, 'POST', '/v1/resolve', { repo_dir: folder })
    const [first] = (body as { unavailable: { code: string }[] }).unavailable
    return { status, code: first?.code }
  }

/** A secret that may go to another host than that of the server. */
const boundElsewhere: Ask = async (host) => {
  const secret = { value: 'a-long-secret-value', hosts: ['docs.example'] }
  await json(host.client, 'PUT', '/v1/secrets/BOUND', secret)
  return server({ url: 'https://evil.example/mcp', bearer_token_env_var: 'BOUND' })(host)
}

const URL = 'https://docs.example/mcp'
const toml = (line: string): string => `[mcp_servers.x]\nurl = "${URL}"\n${line}\n`

const UNSUPPORTED = [
  ['M01', 'js\n{a:(globalThis.p=1)}'],
  ['M02', 'javascript'],
  ['M02', ' JS '],
  ['M02', '\tjs\t'],
  ['M02', 'JavaScript'],
  ['M02', 'js\r'],
  ['M03', 'coffee'],
  ['M03', 'json'],
  ['M03', 'toml'],
  ['M04', 'constructor'],
  ['M04', '__proto__'],
  ['M04', 'toString'],
] as const

export const AGENT_FILES: readonly Case[] = [
  ...UNSUPPORTED.map(
    ([row, word]): Case => [
      row,
      `the fence ${JSON.stringify(word)}`,
      agent(`---${word}\n---\nx`),
      422,
      'unsupported_language',
    ],
  ),
  ['M02', 'a BOM before the fence', agent('\uFEFF---js\n{}\n---\nx'), 422, 'unsupported_language'],
  ['M07', 'a broken head', agent(file('a: "x\n')), 422, 'yaml_invalid'],
  ['M07', 'the same broken head again', agent(file('a: "x\n')), 422, 'yaml_invalid'],
  ['M09', 'an alias of itself', agent(file('a: &a [*a]\n')), 422, 'yaml_unsupported'],
  ['M10', 'a merge', agent(file('base: &b {x: 1}\nmore:\n  <<: *b\n')), 422, 'yaml_unsupported'],
  ['M11', 'the key __proto__', agent(file('__proto__: {isAdmin: true}\n')), 201],
  ['M12', 'the key constructor', agent(file('constructor: {prototype: {x: 1}}\n')), 200],
  ...['!!js/function', '!!python/object', '!!binary', '!Foo'].map(
    (tag): Case => ['M13', `the tag ${tag}`, agent(file(`a: ${tag} x\n`)), 422, 'yaml_tag'],
  ),
  ['M14', 'a key twice', agent(file('tools: read\ntools: bash\n')), 422, 'duplicate_key'],
  ['M15', '20,000 nested brackets', agent(file(`a: ${'['.repeat(20_000)}\n`)), 422, 'yaml_depth'],
  ['M16', 'no name', agent(file('', 'b', '~')), 422, 'name_missing'],
  [
    'M19',
    'a head over 64 KiB',
    agent(file(`a: ${'x'.repeat(66_000)}\n`)),
    413,
    'frontmatter_too_large',
  ],
  ['M19', 'a head without an end', agent('---\nname: helper\n'), 422, 'frontmatter_unclosed'],
  ['M20', 'a key in full width', agent(file('ｎａｍｅ: other\n')), 200],
  ['M21', 'no tools', withTools('', 'null'), 200],
  ['M22', 'names of other systems and all', withTools('tools: [Task, Bash, "*"]\n', 'null'), 200],
  ...['"file_read, web_fetch"', '[file_read, web_fetch]', '{file_read: true, web_fetch: true}'].map(
    (tools): Case => [
      'M23',
      `the tools ${tools}`,
      withTools(`tools: ${tools}\n`, '["file_read","web_fetch"]'),
      200,
    ],
  ),
  ['M24', 'a model that is a path', agent(file('model: ../../x\n')), 200],
  ['M24', 'the model of the caller', agent(file('model: inherit\n')), 200],
  ['M25', 'an endless time limit', agent(file('timeoutSeconds: .inf\n')), 422, 'invalid_value'],
  ['M25', 'a negative time limit', agent(file('timeoutSeconds: -1\n')), 422, 'invalid_value'],
  [
    'M26',
    'hidden characters',
    agent(file('', 'b', 'helper', "'a\u{E0041}b'")),
    422,
    'hidden_characters',
  ],
  [
    'M26',
    'an ANSI escape',
    agent(file('', 'b', 'helper', "'a\u001b[31mb'")),
    422,
    'hidden_characters',
  ],
  ['M27', 'an empty body', agent(file('', '')), 422, 'body_empty'],
  ['M27', 'a body over 1 MiB', agent(file('', 'x'.repeat(1_048_577))), 413, 'too_large'],
]

export const SERVER_FILES: readonly Case[] = [
  ['T02', 'a key twice', config('a = 1\na = 2\n'), 422, 'strict'],
  ['T02', 'a table twice', config('[a]\n[a]\n'), 422, 'strict'],
  ['T03', 'a time', config('a = 07:32:00\nb = 1\n'), 422, 'strict'],
  ['T04', 'a day that does not exist', config('a = 2024-02-30\n'), 422, 'strict'],
  ...['9223372036854775807', 'nan', '-1', '"20"'].map(
    (value): Case => [
      'T05',
      `a time-out of ${value}`,
      config(toml(`startup_timeout_sec = ${value}`)),
      422,
      'strict',
    ],
  ),
  ['T06', 'a control character in a comment', config('# a\u0001b\n'), 422, 'strict'],
  ['T08', '50,000 nested brackets', config(`a = ${'['.repeat(50_000)}\n`), 422, 'strict'],
  ['T09', 'a file over 64 KiB', config(`# ${'x'.repeat(65_537)}\n`), 422, 'strict'],
  ['T10', 'bytes that are not UTF-8', config(Buffer.from([0x61, 0xff, 0xfe])), 422, 'strict'],
  [
    'T11',
    'a local program',
    unavailable('[mcp_servers.x]\ncommand = "npx"\n'),
    200,
    'unsupported_transport',
  ],
  [
    'T13',
    'a variable of the deployment',
    config(toml('bearer_token_env_var = "AWS_SECRET_ACCESS_KEY"')),
    422,
    'strict',
  ],
  [
    'T23',
    'a server of this machine',
    unavailable('[mcp_servers.x]\nurl = "http://localhost:3000/mcp"\n'),
    200,
    'blocked_url',
  ],
  ['T12', 'a command and a URL', server({ command: 'npx', url: URL }), 422, 'command_and_url'],
  ['T15', 'a secret of another host', boundElsewhere, 422, 'secret_host_mismatch'],
  [
    'T18',
    'a credential in the file',
    server({ url: URL, http_headers: { Authorization: 'Bearer x' } }),
    422,
    'literal_secret',
  ],
  ...['a__b', '__proto__', 'a'.repeat(65), 'dоcs'].map(
    (name): Case => [
      'T21',
      `the name ${name}`,
      server({ url: URL }, encodeURIComponent(name)),
      422,
      'invalid_request',
    ],
  ),
]
