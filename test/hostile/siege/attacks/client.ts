/** Clients that trickle, flood, hold and confuse. Most have a key; some speak no HTTP at all. */

import type { Socket } from 'node:net'
import { type Attack, many, must, type Siege } from '../attack.ts'
import { HOSTILE } from '../hostile.ts'

const against = 'client'
const client = (
  name: string,
  what: string,
  run: Attack['run'],
  more: Partial<Attack> = {},
): Attack => ({
  name: `client-${name}`,
  against,
  what,
  run,
  ...more,
})

const head = (siege: Siege, method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${siege.key}\r\n${more}`
const RUN = '{"input":"@say x","model":"openai/x"}'

/** The status of the first answer on a connection; 0 when it was closed without one. */
async function answerOf(siege: Siege, socket: Socket, ms = 15_000): Promise<number> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const end = performance.now() + ms
  while (
    !/^HTTP\/1\.1 \d{3}/.test(text) &&
    !socket.destroyed &&
    !socket.readableEnded &&
    performance.now() < end &&
    !siege.signal.aborted
  ) {
    await siege.hold(20)
  }
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  siege.saw(status === 0 ? 'closed' : String(status))
  return status
}

/** One odd request on a connection of its own, and the statuses that it may have. */
const odd = (
  name: string,
  what: string,
  allowed: readonly number[],
  text: (siege: Siege) => string,
  row?: string,
): Attack =>
  client(
    name,
    what,
    async (siege) => {
      await many(4, async () => {
        const status = await answerOf(siege, await siege.socket(text(siege)))
        must(
          siege.signal.aborted || (status === 0 && !siege.alone) || allowed.includes(status),
          `it was answered by ${status}`,
        )
      })
    },
    row ? { row } : {},
  )

const chunked = (siege: Siege, body: string) =>
  `${head(siege, 'POST', '/v1/runs', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')}\r\n${body}`
const json = (siege: Siege, body: string, more = '') =>
  `${head(siege, 'POST', '/v1/runs', `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}`)}\r\n${body}`

const SOCKETS: readonly Attack[] = [
  client('slow-heads', 'three hundred heads, a byte each 100 ms', async (siege) => {
    const sockets = await many(300, () => siege.socket('GET /healthz HTTP/1.1\r\nX: '), 50)
    for (let i = 0; i < 20 && !siege.signal.aborted; i += 1) {
      for (const socket of sockets) socket.write('x')
      await siege.hold(100)
    }
    siege.saw('held', sockets.filter((one) => !one.destroyed).length)
  }),
  client('slow-bodies', 'three hundred bodies, a byte each 100 ms', async (siege) => {
    const first = `${head(siege, 'POST', '/v1/runs', 'Content-Type: application/json\r\nContent-Length: 200000\r\n')}\r\n{`
    const sockets = await many(300, () => siege.socket(first), 50)
    for (let i = 0; i < 20 && !siege.signal.aborted; i += 1) {
      for (const socket of sockets) socket.write(' ')
      await siege.hold(100)
    }
    siege.saw('held', sockets.filter((one) => !one.destroyed).length)
  }),
  client('idle-connections', 'two thousand connections that say nothing', async (siege) => {
    const sockets = await many(2_000, () => siege.socket(), 100)
    await siege.hold(2_000)
    siege.saw('held', sockets.filter((one) => !one.destroyed).length)
  }),
  client('half-open', 'five hundred connections that have ended their side', async (siege) => {
    await many(
      500,
      async () => (await siege.socket('GET /healthz HTTP/1.1\r\nHost: localhost\r\n')).end(),
      50,
    )
    await siege.hold(1_000)
  }),
  client('connects-and-resets', 'a thousand connections that are reset at once', async (siege) => {
    await many(
      1_000,
      async () => (await siege.socket(json(siege, RUN).slice(0, -3))).resetAndDestroy(),
      50,
    )
  }),
  client(
    'pipelines',
    'five hundred requests on one connection, none of the answers read',
    async (siege) => {
      const one = `${head(siege, 'GET', '/v1/limits')}\r\n`
      const sockets = await many(4, () => siege.socket(one.repeat(500)))
      for (const socket of sockets) socket.pause()
      await siege.hold(1_500)
    },
  ),
  client('answers-not-read', 'asks for the largest answers and reads none', async (siege) => {
    const sockets = await many(
      100,
      () => siege.socket(`${head(siege, 'GET', '/openapi.json')}\r\n`.repeat(3)),
      20,
    )
    for (const socket of sockets) socket.pause()
    await siege.hold(1_500)
  }),
  client('garbage', 'noise instead of requests', async (siege) => {
    await many(
      200,
      async () => {
        const socket = await siege.socket('\u0016\u0003\u0001\u0002 noise\r\n\r\n'.repeat(20))
        await answerOf(siege, socket, 2_000)
      },
      50,
    )
  }),
  odd(
    'headers-endless',
    'headers of 100 KB',
    [431, 0],
    (siege) => `${head(siege, 'GET', '/v1/runs')}X: ${'x'.repeat(100_000)}\r\n\r\n`,
  ),
  odd(
    'headers-by-the-thousand',
    'three thousand headers',
    [431, 200, 400, 0],
    (siege) => `${head(siege, 'GET', '/v1/runs')}${'a: b\r\n'.repeat(3_000)}\r\n`,
  ),
  odd(
    'target-endless',
    'a path of 15,000 bytes',
    [404, 431, 400, 414],
    (siege) => `${head(siege, 'GET', `/v1/${'a/'.repeat(7_500)}`)}\r\n`,
  ),
  odd('two-lengths', 'two lengths that differ', [400], (siege) =>
    json(siege, RUN, 'Content-Length: 5\r\n'),
  ),
  odd('length-and-chunks', 'a length and chunks at once', [400], (siege) =>
    json(siege, RUN, 'Transfer-Encoding: chunked\r\n'),
  ),
  odd('two-hosts', 'two hosts', [400], (siege) => json(siege, RUN, 'Host: evil\r\n'), 'J21'),
  odd('expects-absurdly', 'expects what nobody can', [400, 417], (siege) =>
    json(siege, RUN, 'Expect: 200-maybe\r\n'),
  ),
  odd(
    'chunk-extensions',
    'chunks whose extensions are larger than they',
    [400, 413, 422, 202, 0],
    (siege) => chunked(siege, `1;${'x'.repeat(40_000)}\r\n{\r\n0\r\n\r\n`),
  ),
  odd('chunks-of-one-byte', 'a body of 100,000 chunks', [400, 413, 422], (siege) =>
    chunked(siege, `${'1\r\n \r\n'.repeat(100_000)}0\r\n\r\n`),
  ),
  odd('chunk-size-absurd', 'a chunk of 2^64 bytes', [400, 413, 0], (siege) =>
    chunked(siege, 'ffffffffffffffff\r\nx'),
  ),
  odd('trailers-endless', 'trailers of 100 KB after the body', [400, 431, 422, 202, 0], (siege) =>
    chunked(
      siege,
      `${RUN.length.toString(16)}\r\n${RUN}\r\n0\r\n${`x: ${'y'.repeat(100)}\r\n`.repeat(1_000)}\r\n`,
    ),
  ),
  odd(
    'upgrades',
    'asks for a websocket',
    [200, 400, 426, 404],
    (siege) =>
      `${head(siege, 'GET', '/healthz', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n')}\r\n`,
  ),
  odd(
    'connects-through',
    'takes us for a proxy',
    [405],
    () => 'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ),
  odd(
    'absolute-targets',
    'names another host in the target',
    [200, 400, 404, 401, 421],
    (siege) => `${head(siege, 'GET', 'http://169.254.169.254/v1/runs')}\r\n`,
    'J21',
  ),
  odd('smuggles', 'hides a second request in the first body', [400, 413, 422, 202], (siege) =>
    json(siege, `${RUN}GET /v1/runs HTTP/1.1\r\n\r\n`),
  ),
  odd(
    'http2-by-force',
    'begins to speak HTTP/2',
    [400, 0, 505],
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ),
]

/** One body to POST /v1/runs, and what it must be answered with. */
const body = (
  name: string,
  what: string,
  allowed: readonly number[],
  make: () => string | Uint8Array,
  more: { row?: string; headers?: Record<string, string>; path?: string } = {},
): Attack =>
  client(
    `body-${name}`,
    what,
    async (siege) => {
      const headers = { 'content-type': 'application/json', ...more.headers }
      await many(4, async () => {
        const { status } = await siege.ask(more.path ?? '/v1/runs', {
          method: 'POST',
          body: make() as string,
          headers,
        })
        must(allowed.includes(status), `it was answered by ${status}`)
      })
    },
    { workerd: true, ...(more.row ? { row: more.row } : {}) },
  )

const keys = (count: number): string =>
  Array.from({ length: count }, (_, i) => `"k${i}":"v"`).join(',')
const BODIES: readonly Attack[] = [
  body(
    'deep',
    'JSON of 100,000 levels',
    [400, 422],
    () => '['.repeat(100_000) + ']'.repeat(100_000),
    { row: 'J05' },
  ),
  body(
    'deep-unclosed',
    'JSON of 200,000 levels without an end',
    [400],
    () => '{"a":'.repeat(50_000),
    { row: 'J05' },
  ),
  body('twice', 'one member twice', [400, 422], () => '{"input":"a","input":"b"}'),
  body(
    'of-metadata',
    'metadata by the ten thousand',
    [422, 413, 400],
    () => `{"input":"x","metadata":{${keys(15_000)}}}`,
  ),
  body(
    'proto',
    'members that are prototypes',
    [422],
    () => '{"input":"x","__proto__":{"role":"admin"},"constructor":{}}',
    { row: 'J07' },
  ),
  body('gzip', 'a compressed body', [415], () => Buffer.from('1f8b08', 'hex'), {
    row: 'J04',
    headers: { 'content-encoding': 'gzip' },
  }),
  body(
    'large',
    'a megabyte of input',
    [413],
    () => JSON.stringify({ input: 'x'.repeat(1_000_000) }),
    { row: 'J17' },
  ),
  body(
    'invisible',
    'a quarter megabyte of characters that nobody sees',
    [413, 422, 400],
    () => JSON.stringify({ input: '\u200b'.repeat(90_000) }),
    { row: 'J26' },
  ),
  body(
    'numbers',
    'numbers beyond all measure',
    [422, 400],
    () => `{"input":"x","limits":{"max_steps":1e400,"timeout_seconds":${'9'.repeat(10_000)}}}`,
    { row: 'J09' },
  ),
  body('surrogate', 'half a character', [422, 400], () => '{"input":"\\ud800"}', { row: 'J10' }),
  body('not-json', 'a form instead of JSON', [415], () => 'a=b', {
    row: 'J15',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  body(
    'mcp-deep',
    'a JSON-RPC message of 50,000 levels',
    [200, 400],
    () =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    { path: '/mcp', headers: { accept: 'application/json, text/event-stream' } },
  ),
  body(
    'mcp-batch',
    'ten thousand JSON-RPC messages in one',
    [200, 202, 400, 413],
    () =>
      JSON.stringify(
        Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })),
      ),
    { path: '/mcp', headers: { accept: 'application/json, text/event-stream' } },
  ),
  body('schema-bomb', 'a schema of the answer that doubles at each reference', [202, 422], () =>
    JSON.stringify({
      input: '@say {"z":1}',
      model: 'openai/x',
      limits: { timeout_seconds: 4 },
      output_schema: {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 28 }, (_, i) => [
            `d${i}`,
            i === 27
              ? { required: ['q'] }
              : { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]),
        ),
      },
    }),
  ),
  body(
    'schema-pattern',
    'a schema of the answer with (a+)+$',
    [202, 422],
    () =>
      JSON.stringify({
        input: `@say "${'a'.repeat(40)}!"`,
        model: 'openai/x',
        limits: { timeout_seconds: 4 },
        output_schema: { type: 'string', pattern: '^(a+)+$' },
      }),
    { row: 'A09' },
  ),
]

const FLOODS: readonly Attack[] = [
  client(
    'waits-by-the-hundred',
    'three hundred requests that wait for runs that hang',
    async (siege) => {
      const word = siege.model(HOSTILE['accepts-silently'])
      await many(
        300,
        async (nth) => {
          const { json, status } = await siege.post(
            '/v1/runs',
            { input: `${word} ${nth}`, model: 'openai/x', limits: { timeout_seconds: 3 } },
            { prefer: 'wait=5' },
          )
          must(status === 200 || status === 202 || status === 429, `it was answered by ${status}`)
          siege.saw(`run ${json?.status}`)
        },
        300,
      )
    },
  ),
  client(
    'streams-not-read',
    'two hundred event streams that are never read',
    async (siege) => {
      const word = siege.model(HOSTILE['accepts-silently'])
      const id = await siege.start({ input: word, limits: { timeout_seconds: 5 } })
      const sockets = await many(
        200,
        () =>
          siege.socket(
            `${head(siege, 'GET', `/v1/runs/${id}/events`, 'Accept: text/event-stream\r\n')}\r\n`,
          ),
        50,
      )
      for (const socket of sockets) socket.pause()
      await siege.hold(3_000)
    },
    { row: 'C14' },
  ),
  client(
    'streams-of-floods-not-read',
    'fifty streams, not read, of a run whose model floods',
    async (siege) => {
      let nth = 0
      const { does, events, stream } = await import('../speech.ts')
      const word = siege.model(
        does('talks', (s) =>
          stream(
            s,
            events({
              text: 'w'.repeat(150_000),
              calls: [{ name: 'file_list', arguments: `{"prefix":"${nth++}"}` }],
            }),
          ),
        ),
      )
      const id = await siege.start({ input: word, limits: { timeout_seconds: 4, max_steps: 8 } })
      const sockets = await many(50, () =>
        siege.socket(
          `${head(siege, 'GET', `/v1/runs/${id}/events`, 'Accept: text/event-stream\r\n')}\r\n`,
        ),
      )
      for (const socket of sockets) socket.pause()
      await siege.hold(3_000)
    },
    { row: 'C14' },
  ),
  client(
    'event-ids-absurd',
    'asks to go on after events that are none',
    async (siege) => {
      const id = await siege.start({ input: '@say x' })
      for (const last of [
        '-1',
        '1e9',
        'NaN',
        '0x10',
        '1 1',
        '9'.repeat(400),
        '999999',
        '\u00ff',
        '',
      ]) {
        const { status } = await siege.ask(`/v1/runs/${id}/events`, {
          headers: { 'last-event-id': last },
        })
        must(status === 400 || (last === '' && status === 200), `${last.slice(0, 9)}: ${status}`)
      }
    },
    { row: 'C07', workerd: true },
  ),
  client(
    'cursors-bent',
    'asks for pages by cursors that were tampered with',
    async (siege) => {
      await many(3, () => siege.start({ input: '@say x' }))
      const { json } = await siege.ask('/v1/runs?limit=1')
      const cursor: string = json.next_cursor ?? 'AAAA'
      const bent = [
        cursor.slice(1),
        `${cursor}A`,
        cursor.replace(/.(?=.{9}$)/, (c) => (c === 'A' ? 'B' : 'A')),
        'A'.repeat(10_000),
        '{"after":"../"}',
        '%00',
      ]
      for (const one of bent) {
        const { status } = await siege.ask(`/v1/runs?limit=1&cursor=${encodeURIComponent(one)}`)
        must(status === 400 || status === 414 || status === 431, `${one.slice(0, 20)}: ${status}`)
      }
      const other = await siege.ask(`/v1/hooks?cursor=${encodeURIComponent(cursor)}`)
      must(other.status === 400, `a cursor of runs is one of hooks: ${other.status}`)
    },
    { row: 'C01', workerd: true },
  ),
  client('keys-by-the-thousand', 'a thousand idempotency keys', async (siege) => {
    await many(
      1_000,
      (nth) =>
        siege.post(
          '/v1/runs',
          { input: '@say x', model: 'openai/x', limits: { timeout_seconds: 4 } },
          { 'idempotency-key': `siege-${siege.nth}-${nth}-0000` },
        ),
      8,
    )
  }),
  client(
    'one-key-at-once',
    'fifty requests at once under one key',
    async (siege) => {
      const key = { 'idempotency-key': `one-key-${siege.nth}-${Date.now()}` }
      const all = await many(50, () =>
        siege.post('/v1/runs', { input: '@say x', model: 'openai/x' }, key),
      )
      const ids = new Set(all.filter(({ status }) => status < 300).map(({ json }) => json.id))
      must(ids.size === 1, `${ids.size} runs under one key`)
    },
    { row: 'D09', workerd: true },
  ),
  client(
    'keys-absurd',
    'idempotency keys that are none',
    async (siege) => {
      for (const key of ['1234567', 'x'.repeat(201), 'a b c d e f', 'a\tb-------']) {
        const { status } = await siege.post(
          '/v1/runs',
          { input: '@say x' },
          { 'idempotency-key': key },
        )
        must(status === 400, `${key.slice(0, 9)}: ${status}`)
      }
    },
    { row: 'D02', workerd: true },
  ),
  client(
    'runs-by-the-thousand',
    'a thousand plain runs as fast as they are taken',
    async (siege) => {
      await many(1_000, () => siege.start({ input: '@say x' }), 8)
    },
  ),
  client('session-of-200-runs', 'two hundred runs that wait for one session', async (siege) => {
    const { json } = await siege.post('/v1/sessions', {})
    const ids = await many(
      220,
      () => siege.start({ input: '@say x', session_id: json.id, limits: { timeout_seconds: 30 } }),
      8,
    )
    siege.saw('taken', ids.filter((id) => id !== undefined).length)
  }),
  client('session-interrupted', 'runs of one session that interrupt each other', async (siege) => {
    const { json } = await siege.post('/v1/sessions', {})
    const word = siege.model(HOSTILE['accepts-silently'])
    await many(
      30,
      () =>
        siege.start({
          input: word,
          session_id: json.id,
          on_busy: 'interrupt',
          limits: { timeout_seconds: 3 },
        }),
      4,
    )
  }),
  client('fanout-of-a-thousand', 'a thousand tasks that hang', async (siege) => {
    const word = siege.model(HOSTILE['accepts-silently'])
    const tasks = Array.from({ length: 1_000 }, (_, i) => ({ task: `${word} ${i}` }))
    const { status, json } = await siege.post('/v1/fanouts', {
      tasks,
      join: { deadline_seconds: 3, on_child_failure: 'fail' },
    })
    must(status === 202 || status === 429, `it was answered by ${status}`)
    await siege.hold(2_500)
    if (json?.id) await siege.post(`/v1/fanouts/${json.id}/cancel`, {})
  }),
  client('fanouts-of-nothing', 'two hundred fan-outs without tasks', async (siege) => {
    await many(200, () => siege.post('/v1/fanouts', { tasks: [] }), 8)
  }),
  client(
    'fanout-too-many',
    'more tasks than a fan-out may have',
    async (siege) => {
      const { status } = await siege.post('/v1/fanouts', {
        tasks: Array.from({ length: 1_001 }, () => ({ task: 'x' })),
      })
      must(status === 422 || status === 413, `it was answered by ${status}`)
    },
    { row: 'A27', workerd: true },
  ),
  client('messages-to-one-run', 'five hundred messages to a run that hangs', async (siege) => {
    const word = siege.model(HOSTILE['accepts-silently'])
    const id = await siege.start({ input: word, limits: { timeout_seconds: 5 } })
    await many(500, () => siege.post(`/v1/runs/${id}/messages`, { content: 'x'.repeat(1_000) }), 8)
  }),
  client(
    'approvals-by-the-hundred',
    'runs that ask a person for more than anybody reads',
    async (siege) => {
      const { says } = await import('../speech.ts')
      await siege.ask('/v1/policy', {
        method: 'PUT',
        json: { approvals: { file_write: 'ask' } },
        headers: { 'if-match': '"0"' },
      })
      const word = siege.model(
        says('asks', {
          calls: Array.from({ length: 100 }, (_, i) => ({
            name: 'file_write',
            arguments: `{"path":"${i}","content":"x"}`,
          })),
        }),
      )
      await many(5, () =>
        siege.start({
          input: word,
          limits: { timeout_seconds: 4, max_steps: 3 },
          approvals: { expires_seconds: 1 },
        }),
      )
      await siege.hold(1_000)
      const { json } = await siege.ask('/v1/approvals')
      for (const { id } of (json.data ?? []).slice(0, 10)) {
        await many(5, () =>
          siege.post(`/v1/approvals/${id}/decision`, {
            decision: 'approve',
            args_hash: 'x'.repeat(64),
          }),
        )
      }
    },
    { row: 'A26', apart: true },
  ),
  client('cancel-storm', 'a run that is cancelled two hundred times at once', async (siege) => {
    const word = siege.model(HOSTILE['accepts-silently'])
    const id = await siege.start({ input: word, limits: { timeout_seconds: 5 } })
    const all = await many(200, () => siege.post(`/v1/runs/${id}/cancel`, {}), 20)
    must(
      all.every(({ status }) => status === 200),
      'a cancel was refused',
    )
  }),
  client(
    'policy-storm',
    'the policy written by twenty at once',
    async (siege) => {
      const { headers } = await siege.ask('/v1/policy')
      const etag = headers.get('etag') ?? '"0"'
      await many(20, () =>
        siege.ask('/v1/policy', {
          method: 'PUT',
          json: { tools: {} },
          headers: { 'if-match': etag },
        }),
      )
    },
    { row: 'K35' },
  ),
  client(
    'foreign-ids',
    "asks for what is others' or nobody's",
    async (siege) => {
      for (const path of [
        'runs/run_00000000000000000000000000',
        'sessions/ses_00000000000000000000000000',
        'hooks/hk_00000000000000000000000000',
        'fanouts/fan_00000000000000000000000000',
        'approvals/apr_x',
        'runs/..%2f..%2fadmin',
        'runs/%00',
        `runs/${'x'.repeat(5_000)}`,
        'webhook-deliveries/__proto__',
      ]) {
        const { status } = await siege.ask(`/v1/${path}`)
        must([400, 404, 414].includes(status), `${path.slice(0, 30)}: ${status}`)
      }
    },
    { row: 'H13', workerd: true },
  ),
  client(
    'keys-guessed',
    'five hundred keys that are none',
    async (siege) => {
      const statuses = await many(
        500,
        async (nth) =>
          (
            await siege.ask('/v1/runs', {
              headers: {
                authorization: `Bearer strata_${String(nth).padStart(16, '0')}_${'a'.repeat(52)}_bbbbbb`,
              },
            })
          ).status,
        20,
      )
      must(
        statuses.every((one) => one === 401),
        'a key was taken',
      )
    },
    { row: 'H02', workerd: true },
  ),
  client('lists-by-the-hundred', 'a hundred of every list', async (siege) => {
    const paths = [
      'runs',
      'sessions',
      'fanouts',
      'hooks',
      'approvals',
      'webhook-endpoints',
      'webhook-deliveries',
      'audit',
      'skills',
      'agents',
      'mcp-servers',
      'tools',
      'files',
    ]
    await many(
      100,
      (nth) => siege.ask(`/v1/${paths[nth % paths.length]}?limit=100`).catch(() => {}),
      8,
    )
  }),
  client(
    'queries-absurd',
    'query parameters that are none',
    async (siege) => {
      for (const query of [
        'limit=1&limit=99999',
        'limit=-1',
        'limit=1e9',
        'limit=NaN',
        '__proto__[x]=1',
        'a[b]=c',
        'limit=0x10',
        `cursor=${'%00'.repeat(50)}`,
        '%ff=%ff',
        '&'.repeat(5_000),
      ]) {
        const { status } = await siege.ask(`/v1/runs?${query}`)
        must(status === 400 || status === 200 || status === 431, `${query.slice(0, 20)}: ${status}`)
      }
    },
    { row: 'J24', workerd: true },
  ),
  client(
    'dot-segments',
    'paths that climb',
    async (siege) => {
      for (const path of [
        '/v1/files/../runs',
        '/v1/files/%2e%2e/x',
        '/v1/files/a%2f..%2fb',
        '/v1/files/a/%252e%252e/b',
        '//v1/runs',
        '/V1/runs',
        '/v1/runs;x=y',
      ]) {
        const socket = await siege.socket(
          `${head(siege, 'GET', path, 'Connection: close\r\n')}\r\n`,
        )
        const status = await answerOf(siege, socket)
        must(siege.signal.aborted || [400, 404, 0].includes(status), `${path}: ${status}`)
      }
    },
    { row: 'K02' },
  ),
  client(
    'mcp-calls-absurd',
    'calls of operations that are none, with arguments that are none',
    async (siege) => {
      const accept = { accept: 'application/json, text/event-stream' }
      for (const params of [
        {},
        { name: 'x' },
        { name: '__proto__', arguments: {} },
        { name: 1, arguments: [] },
        { name: 'skills_list', arguments: { limit: -1 } },
        null,
        'x',
      ]) {
        const { status } = await siege.post(
          '/mcp',
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
          accept,
        )
        must(status < 500, `${JSON.stringify(params)}: ${status}`)
      }
    },
    { workerd: true },
  ),
  client('resolve-storm', 'a hundred resolves at once', async (siege) => {
    await many(100, () => siege.post('/v1/resolve', {}), 20)
  }),
]

export const CLIENTS: readonly Attack[] = [...SOCKETS, ...BODIES, ...FLOODS]
