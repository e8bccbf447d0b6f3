/**
 * Rows of inputs to refuse, each as the request that shows it: the same status and code on every
 * host. A path is sent as bytes, because clients repair some on their own.
 */

export interface Ask {
  readonly method?: string
  readonly path: string
  /** A text as it is; anything else as JSON. */
  readonly body?: unknown
  /** Pairs where a name comes twice. */
  readonly headers?: readonly (readonly [string, string])[]
}
/** Status, and the code where the status alone would say too little. */
type Answer = readonly [status: number, code?: string]
export interface SecurityRow {
  /** The ids of its rows, then what is refused. */
  readonly title: string
  /** They come first, and succeed. */
  readonly before?: readonly Ask[]
  readonly asks: readonly Ask[]
  readonly answer: Answer
}

const row = (
  title: string,
  answer: Answer,
  asks: readonly Ask[],
  before: readonly Ask[] = [],
): SecurityRow => ({ title, answer, asks, before })
const e = encodeURIComponent
const put = (path: string, body: unknown): Ask => ({ method: 'PUT', path, body })
const post = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Ask => ({
  ...{ method: 'POST', path, body, headers: Object.entries(headers) },
})
const file = (...keys: string[]): Ask[] => keys.map((key) => put(`/v1/files/${key}`, 'x'))
const runs = (...bodies: unknown[]): Ask[] => bodies.map((body) => post('/v1/runs', body))
const resolves = (...bodies: unknown[]): Ask[] => bodies.map((body) => post('/v1/resolve', body))
const agent = (...texts: string[]): Ask[] =>
  texts.map((agent_md) => put('/v1/agents/probe', { agent_md }))
const fenced = (...heads: string[]): Ask[] =>
  agent(...heads.map((head) => `---\nname: probe\ndescription: Probes.\n${head}\n---\nProbe.\n`))
const servers = (...bodies: object[]): Ask[] =>
  bodies.map((body) => put('/v1/mcp-servers/probe', body))
/** As a webhook's, as a server's. */
const urls = (...list: string[]): Ask[] =>
  list.flatMap((url) => [
    post('/v1/webhook-endpoints', { url, events: ['run.completed'] }),
    post('/v1/runs', { input: 'x', webhook: { url } }),
  ])
const schedules = (...crons: string[]): Ask[] =>
  crons.map((cron) => put('/v1/schedules/probe', { cron, input: 'x' }))
const cursors = (...list: string[]): Ask[] =>
  list.map((cursor) => ({ path: `/v1/runs?cursor=${cursor}` }))
const key = (idempotency: string): Ask =>
  post('/v1/runs', { input: 'x' }, { 'idempotency-key': idempotency })

const DEEP = 100_000
const SEGMENT = 'a'.repeat(127)

/** Cloudflare resolves the dots of a path before a Worker sees it: it never has such a key. */
export const RESOLVED = 'K01 K02 K03 K09 a key that climbs, as it stands'

export const SECURITY_ROWS: readonly SecurityRow[] = [
  row(
    'K01 K04 a key that climbs',
    [400, 'invalid_key'],
    file('..%2f..%2fB/x', '%2e%2e%2fB%2fx', 'a%2F..%2FB'),
  ),
  row(
    RESOLVED,
    [400, 'invalid_key'],
    file('../B/secret', 'a/../../B/x', 'a/%2e%2e/B', '.', './a', 'a/./b'),
  ),
  row(
    'K05 K12 a key with percent signs or bytes that are no text',
    [400, 'invalid_key'],
    [...file('%252e%252e%252fB', '%ff')],
  ),
  row('K06 a key with a backslash', [400, 'invalid_key'], file('a%5c..%5cb')),
  row(
    'K07 K08 K16 a key that looks like another',
    [400, 'invalid_key'],
    [...file(e('．．／B'), `${e('․․')}/B`, e('ﬁle.md'))],
  ),
  row(
    'K09 K10 a key whose segments vanish',
    [400, 'invalid_key'],
    file('a//b', '/a', 'a/', 'a%2F%2Fb', 'a%2F.%2Fb'),
  ),
  row('K11 a key with a NUL', [400, 'invalid_key'], file('a%00b')),
  row(
    'K13 K14 a key that is no NFC text',
    [400, 'invalid_key'],
    [...file('%ED%A0%80', e('e\u0301'))],
  ),
  row(
    'K17 K18 a key with characters that nobody sees',
    [400, 'invalid_key'],
    [...file(e('a\u202Eexe.md'), e('a\u200Bb'), e('a\u{E0041}b'))],
  ),
  row(
    'K19 K20 a key that is too long, by its bytes',
    [400, 'invalid_key'],
    [
      ...file(
        [SEGMENT, SEGMENT, SEGMENT, `${SEGMENT}a`, 'a'].join('/'),
        'a'.repeat(129),
        Array(17).fill('a').join('/'),
        e('é'.repeat(300)),
      ),
    ],
  ),
  row('K22 a key that ends in a dot or a space', [400, 'invalid_key'], file('a.', 'a%20')),
  row(
    'K15 a key that differs from another in case alone',
    [409, 'case_conflict'],
    file('base/security/skill.md'),
    file('base/security/SKILL.md'),
  ),
  row(
    'K23 a key named like the inside of an object is a key',
    [201],
    [...file('base/__proto__/notes.md', 'base/constructor')],
  ),
  row(
    'K35 a write over what somebody has changed',
    [412],
    [{ ...put('/v1/files/base/security/lost.md', 'y'), headers: [['if-match', '"stale"']] }],
    file('base/security/lost.md'),
  ),
  row('K25 a role that is a path', [422], resolves({ role: 'main/../backend' })),
  row(
    'K26 a repository outside the tenant',
    [422],
    [
      ...resolves(
        { repo_dir: '/etc' },
        { repo_dir: 's3://other/' },
        { repo_dir: 'file:///' },
        { base_dir: '../x' },
      ),
    ],
  ),
  row(
    'K29 a path that is spelled otherwise',
    [404],
    [...['//v1/runs', '/V1/runs', '/v1/runs;jsessionid=1'].map((path) => ({ path }))],
  ),
  row('K31 a prefix that climbs', [400], [{ path: '/v1/files?prefix=../' }]),
  row(
    'K33 deleting nothing, or everything',
    [400],
    [
      { method: 'DELETE', path: '/v1/files//' },
      { method: 'DELETE', path: '/v1/files/%2F' },
    ],
  ),

  row(
    'M01 M02 M03 M04 front matter in a language',
    [422],
    [
      ...agent(
        ...[
          'js',
          'javascript',
          ' JS ',
          '\tjs\t',
          'JavaScript',
          'js\r',
          'coffee',
          'json',
          'toml',
        ].map((language) => `---${language}\n{name: 'probe'}\n---\nx\n`),
        '\uFEFF---js\n{a:1}\n---\nx\n',
        ...['constructor', '__proto__', 'toString'].map((name) => `---${name}\na: 1\n---\nx\n`),
      ),
    ],
  ),
  row('M07 YAML that is wrong, twice', [422], fenced("a: 'b", "a: 'b")),
  row('M09 cyclic YAML', [422], fenced('a: &a [*a]')),
  row(
    'M13 YAML with tags',
    [422],
    [...fenced("a: !!js/function 'f'", "a: !!python/object 'x'", 'a: !!binary aGk=', 'a: !Foo x')],
  ),
  row('M14 a key that is there twice', [422], fenced('tools: read\ntools: bash')),
  row(
    'M10 YAML that merges without end',
    [422],
    [...fenced(`base: &base {a: 1}\nb: {<<: *base}\n${'c: {<<: *base}\n'.repeat(300)}`)],
  ),
  row('M15 YAML that is too deep', [422], [...fenced(`a: ${'['.repeat(200)}x${']'.repeat(200)}`)]),
  row(
    'M16 YAML that means something else elsewhere, where that is asked',
    [422],
    [
      ...['2024-01-01', '12:30:45', '017', '1_000', 'no'].map((name) =>
        put('/v1/agents/probe?strict=true', {
          agent_md: `---\nname: probe\ndescription: ${name}\n---\nProbe.\n`,
        }),
      ),
    ],
  ),
  row(
    'M19 front matter that is never closed',
    [422],
    [...agent(`---\nname: probe\n${'a: b\n'.repeat(1_000)}`)],
  ),
  row('M19 front matter that is too long', [413], fenced(`a: ${'x'.repeat(65_536)}`)),
  row(
    'M25 a time-out that is none',
    [422],
    [...fenced('timeoutSeconds: 1e9', 'timeoutSeconds: -1', 'timeoutSeconds: .inf')],
  ),
  row(
    'M26 a description with characters that nobody sees',
    [422],
    [...agent('---\nname: probe\ndescription: "a\u{E0041}b"\n---\nx\n')],
  ),
  row('M27 an agent without a text', [422], agent('---\nname: probe\ndescription: x\n---\n')),

  row(
    'T05 a number that is no time',
    [422],
    [
      ...servers(
        { url: 'https://a.example/mcp', startup_timeout_sec: -1 },
        { url: 'https://a.example/mcp', startup_timeout_sec: '20' },
        {
          url: 'https://a.example/mcp',
          startup_timeout_sec: 9_223_372_036_854_775_807n.toString(),
        },
      ),
    ],
  ),
  row(
    'T12 a server that is two things',
    [422],
    [...servers({ command: 'npx', url: 'https://a.example/mcp' })],
  ),
  row(
    'T18 a credential in a file',
    [422],
    [...servers({ url: 'https://a.example/mcp', http_headers: { Authorization: 'Bearer x' } })],
  ),
  row(
    'T21 a name that could be another’s',
    [422],
    [
      ...['a__b', '__proto__', 'a'.repeat(65), e('аpi')].map((name) =>
        put(`/v1/mcp-servers/${name}`, { url: 'https://a.example/mcp' }),
      ),
    ],
  ),

  row('J01 a body that is too large', [413], resolves({ role: 'x'.repeat(262_145) })),
  row(
    'J02 a body that is longer than it says',
    [400],
    [post('/v1/runs', `{"input":"${'x'.repeat(89)}"}`, { 'content-length': '5' })],
  ),
  row(
    'J19 two keys',
    [400],
    [
      {
        path: '/v1/runs',
        headers: [
          ['authorization', 'Bearer a'],
          ['authorization', 'Bearer b'],
        ],
      },
    ],
  ),
  row(
    'J25 a query that is no query',
    [400],
    [...['__proto__[x]=1', 'a[b]=c'].map((query) => ({ path: `/v1/runs?${query}` }))],
  ),
  row(
    'J04 a body that is compressed',
    [415],
    [post('/v1/runs', '{"input":"x"}', { 'content-encoding': 'gzip' })],
  ),
  row(
    'J05 a body that is too deep',
    [400, 'invalid_json'],
    [post('/v1/resolve', `{"a":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`)],
  ),
  row(
    'J07 J08 J14 a key that nobody knows',
    [422],
    [
      ...[
        '{"input":"x","__proto__":{"role":"admin"}}',
        '{"input":"x","constructor":{"prototype":{}}}',
        ...['tenant_id', 'lane', 'epoch', 'status', 'depth'].map(
          (name) => `{"input":"x","${name}":1}`,
        ),
      ].map((body) => post('/v1/runs', body)),
    ],
  ),
  row(
    'J09 a number that is none',
    [422],
    [
      ...['12345678901234567890', '1e400', '-0.5'].map((value) =>
        post('/v1/runs', `{"input":"x","timeout_seconds":${value}}`),
      ),
    ],
  ),
  row('J10 a text that is not well formed', [422], [post('/v1/runs', '{"input":"\\ud800"}')]),
  row(
    'J11 a body that is no object',
    [422],
    [...['null', '[]', '1'].map((body) => post('/v1/runs', body))],
  ),
  row(
    'J11 a body with a mark before it or a rest after it',
    [400, 'invalid_json'],
    [...['\uFEFF{"input":"x"}', '{"input":"x"}x'].map((body) => post('/v1/runs', body))],
  ),
  row(
    'J15 J16 a body of another type',
    [415],
    [
      ...['text/plain', 'application/json; charset=utf-16', 'multipart/mixed; boundary=x'].map(
        (type) => post('/v1/runs', '{"input":"x"}', { 'content-type': type }),
      ),
    ],
  ),
  row(
    'J17 more tasks than there may be',
    [422],
    [post('/v1/fanouts', { tasks: Array(10_001).fill({ task: 'x' }) })],
  ),
  row('J17 J26 a task of a million characters', [413], runs({ input: 'x'.repeat(1_100_000) })),
  row(
    'J24 a limit that is none',
    [400],
    [
      ...['-1', '1e9', 'NaN', '1&limit=99999'].map((limit) => ({
        path: `/v1/runs?limit=${limit}`,
      })),
    ],
  ),

  row(
    'D02 an idempotency key that is none',
    [400, 'invalid_header'],
    [...['1234567', 'x'.repeat(201), 'has a space'].map(key)],
  ),
  row(
    'D05 D16 the same key with another body, by its bytes',
    [422, 'idempotency_mismatch'],
    ['{"input":"y"}', '{ "input":"x"}'].map((body) =>
      post('/v1/runs', body, { 'idempotency-key': 'security-rows' }),
    ),
    [post('/v1/runs', '{"input":"x"}', { 'idempotency-key': 'security-rows' })],
  ),

  row('U01 an address without TLS', [422], urls('http://example.com/')),
  row(
    'U03 U07 U08 addresses of metadata, however spelled',
    [422],
    [
      ...urls(
        'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
        'https://169.254.169.254/',
        'https://0xA9FEA9FE/',
        'https://0251.0376.0251.0376/',
        'https://[fd00:ec2::254]/',
        'https://169.254.170.2/',
        'https://100.100.100.200/',
        'https://168.63.129.16/',
        'https://192.0.0.192/',
      ),
    ],
  ),
  row(
    'U04 U05 any address, and those within others',
    [422],
    [...urls('https://0.0.0.0/', 'https://[::]/', 'https://[::ffff:a9fe:a9fe]/')],
  ),
  row(
    'U09 names of inner networks',
    [422],
    [
      ...urls(
        ...['metadata.google.internal', 'x.local', 'x.internal', 'x.home.arpa'].map(
          (host) => `https://${host}/`,
        ),
      ),
    ],
  ),
  row(
    'U10 private networks',
    [422],
    [
      ...urls(
        ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '198.18.0.1', '192.0.2.1'].map(
          (host) => `https://${host}/`,
        ),
        ...['224.0.0.1', '240.0.0.1', '[fc00::1]', '[fe80::1]', '[3fff::1]', '[5f00::1]'].map(
          (host) => `https://${host}/`,
        ),
      ),
    ],
  ),
  row(
    'U11 U12 an address that a parser reads otherwise',
    [422],
    [
      ...urls(
        'https://good.com@10.0.0.1/',
        'https://user:pass@hooks.example/',
        'https://good.com\\@10.0.0.1/',
        'https:\\\\10.0.0.1',
        'ht\ntps://hooks.example/',
        'https:169.254.169.254',
      ),
    ],
  ),
  row(
    'U21 another port',
    [422],
    [...urls(...[22, 25, 6379, 0, 99_999].map((port) => `https://hooks.example:${port}/`))],
  ),
  row(
    'U22 another scheme',
    [422],
    [
      ...urls(
        ...['file:///etc/passwd', 'data:text/plain,x', 'gopher://hooks.example/'],
        ...['ftp://hooks.example/', 'blob:https://hooks.example/x', 'javascript:1'],
        'ws://hooks.example/',
      ),
    ],
  ),
  row(
    'U25 an address that is too long, or has more than it may',
    [422],
    [
      ...urls(
        `https://hooks.example/${'x'.repeat(2_049)}`,
        `https://${'a'.repeat(254)}.example/`,
        'https://hooks.example/#x',
        'https://hooks.example/\u0001',
      ),
    ],
  ),

  row(
    'H01 no key, or one that is none',
    [401],
    [
      ...['', 'Basic eDp5', 'Bearer  x', 'Bearer x'].map((authorization) => ({
        path: '/v1/runs',
        headers: [['authorization', authorization]] as const,
      })),
    ],
  ),
  row(
    'H02 H03 a key that nobody has made',
    [401],
    [{ path: '/v1/runs', headers: [['authorization', `Bearer strata_${'0'.repeat(60)}`]] }],
  ),
  row(
    'H13 A28 what is not there, or not yours',
    [404],
    [
      ...[
        `/v1/runs/run_${'0'.repeat(26)}`,
        `/v1/runs/run_${'0'.repeat(26)}/events`,
        `/v1/sessions/ses_${'0'.repeat(26)}`,
        `/v1/fanouts/fan_${'0'.repeat(26)}`,
        '/v1/files/base/nothing',
        '/v1/schedules/nothing',
        `/v1/webhook-deliveries/dlv_${'0'.repeat(26)}`,
      ].map((path) => ({ path })),
    ],
  ),
  row(
    'H21 what only an operator may see, and what never was',
    [404],
    [...['/debug', '/v1/admin', '/v2/openapi.json'].map((path) => ({ path }))],
  ),

  row(
    'C01 C02 a cursor that was not made here',
    [400, 'invalid_cursor'],
    [...cursors('v1.AAAA', 'x', 'x'.repeat(10_000), e('{"pk":{"S":"t/B"}}'))],
  ),
  row(
    'S01 a schedule that is none, or never fires',
    [422],
    [...schedules('* * * * * *', '@reboot', '0 0 31 2 *', '*/0', 'x'.repeat(1_024))],
  ),
]

/**
 * Rows that no request alone shows: what has to be there for them. Each is tried by the test that
 * `test/acceptance.json` names.
 */
export const SECURITY_ELSEWHERE: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'rules of files that are in storage already, which become findings of a layer':
      'rows M11 M12 M20 M21 M23 M24 T02 T03 T04 T06 T08 T09 T10 T11 T13 T15 T23 Z06',
    'a model that calls tools, or a run that goes on':
      'rows M22 M30 M31 M32 A01 A02 A03 A04 A16 A19 A21 A22 A23 A24 A26 A27 A30 Z07',
    'a server of tools that does what it should not': 'rows A07 A09 A12 A17 A18 U32 U33',
    'an address that answers, or a name that somebody resolves (pinning is for Node)':
      'rows U14 U15 U16 U17 U18 U19 U20 U23 U27 U28 U29 U30 U34 U35 A06',
    'a header of the answer, where the status is as always': 'rows J20 J21 J22 J23',
    'the whole suite of JSON texts; a sample of it is tried on every host': 'rows J12 J13',
    'requests at once, or one that breaks off': 'rows D08 D09 D11 D12 D14 D15 H17 H19',
    'keys of other scopes and tenants': 'rows H06 H11 H12 H14 H16 H22 H23 H25 C03 C05',
    'a stream of events': 'rows C07 C09 C10 C12 C13 C14 C15',
    'time that passes': 'rows S03 S04 S05',
    'the bundle, or a parser alone': 'rows A10 A20 Z05',
  }).flatMap(([reason, ids]) =>
    ids
      .split(' ')
      .slice(1)
      .map((id) => [id, reason]),
  ),
)
