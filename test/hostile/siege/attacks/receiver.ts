/** Receivers of webhooks that hang, flood, redirect and lie. None may keep others from theirs. */

import type { Behaviour } from '../../../support/hostile/index.ts'
import { type Attack, many, must, type RunEnd, type Siege } from '../attack.ts'
import { HOSTILE, HOSTILE_NAMES } from '../hostile.ts'
import { does, respond } from '../speech.ts'

const against = 'receiver'

/** It ends as if the receiver were kind; beside all others its tenant's own line may cost it its time. */
const told = ({ alone }: Siege, run: RunEnd | undefined): boolean =>
  run === undefined || run.status === 'completed' || (!alone && run.status === 'timed_out')

function receiver(
  name: string,
  what: string,
  behaviour: Behaviour,
  more: Partial<Attack> = {},
): Attack {
  return {
    name: `receiver-${name}`,
    against,
    row: 'U27',
    what,
    ...more,
    async run(siege) {
      const peer = await siege.peer(behaviour)
      const runs = await many(4, (nth) =>
        siege.finish({ input: '@say told', webhook: { url: `${peer.origin}/${nth}` } }),
      )
      for (const run of runs) must(told(siege, run), `its run is ${run?.status}`)
      await siege.hold(1_000)
    },
  }
}

const refuses = (
  name: string,
  what: string,
  status: number,
  headers: Record<string, string> = {},
  body = 'no',
) =>
  receiver(
    name,
    what,
    does(what, (s) => respond(s, status, body, headers)),
  )

const OWN: readonly Attack[] = [
  refuses('gone', 'says 410 to everything', 410),
  refuses('retry-after-a-year', 'says 429 and to come back in a year', 429, {
    'retry-after': '31536000',
  }),
  refuses('retry-after-absurd', 'says 429 and to come back after 10^400 seconds', 429, {
    'retry-after': '9'.repeat(400),
  }),
  refuses('retry-after-at-once', 'says 503 and to come back at once, for ever', 503, {
    'retry-after': '0',
  }),
  refuses('redirects-to-itself', 'redirects to itself', 302, { location: '/again' }),
  refuses('redirects-to-metadata', 'redirects to the machine that knows the keys', 307, {
    location: 'http://169.254.169.254/',
  }),
  refuses('redirects-to-files', 'redirects to a file', 302, { location: 'file:///etc/passwd' }),
  refuses(
    'headers-by-the-thousand',
    'answers with 200 headers of 1 KB',
    200,
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'v'.repeat(1_000)])),
  ),
  refuses('body-of-ten-megabytes', 'answers with 10 MB', 200, {}, 'x'.repeat(10_000_000)),
  refuses('cookies', 'sets cookies and asks for a refresh', 200, {
    'set-cookie': 'a=b',
    refresh: '0; url=/',
    link: '</x>; rel=preload',
  }),
  {
    name: 'receiver-redirects-to-us',
    against,
    row: 'U20',
    what: 'redirects to our own address, to be called by ourselves',
    async run(siege) {
      const peer = await siege.peer(
        does('ours', (s) => respond(s, 307, '', { location: `${siege.url}/v1/runs` })),
      )
      const run = await siege.finish({ input: '@say told', webhook: { url: `${peer.origin}/x` } })
      must(told(siege, run), `its run is ${run?.status}`)
      must(peer.connections() <= 8, `it was asked ${peer.connections()} times`)
    },
  },
  {
    name: 'receiver-many-urls-of-one-host',
    against,
    what: 'forty URLs of one host that hang: each would hold a place of its own',
    async run(siege) {
      const peer = await siege.peer(HOSTILE['accepts-silently'])
      await many(
        40,
        (nth) => siege.finish({ input: '@say told', webhook: { url: `${peer.origin}/${nth}` } }),
        10,
      )
      must(peer.open() <= 12, `${peer.open()} connections to one host`)
    },
  },
  {
    name: 'receiver-endpoints-by-the-dozen',
    apart: true,
    against,
    row: 'U35',
    what: 'more endpoints than a tenant may have, all hanging, each told of each run',
    async run(siege) {
      const peer = await siege.peer(HOSTILE['body-drips'])
      const made = await many(
        60,
        (nth) => siege.post('/v1/webhook-endpoints', { url: `${peer.origin}/${nth}` }),
        5,
      )
      must(
        made.some(({ status }) => status === 429) || siege.nth > 0,
        'there is no end of endpoints',
      )
      await siege.finish({ input: '@say told' })
      await siege.hold(1_000)
      for (const { json, status } of made)
        if (status === 201)
          await siege.ask(`/v1/webhook-endpoints/${json.id}`, { method: 'DELETE' })
    },
  },
  {
    name: 'receiver-urls-absurd',
    against,
    row: 'U07',
    what: 'names metadata services, files, our own port and worse as receivers',
    workerd: true,
    async run(siege) {
      const { port } = new URL(siege.url)
      const urls = [
        'http://169.254.169.254/',
        'file:///etc/passwd',
        `http://127.0.0.1:${port}/v1/runs`,
        'http://[::ffff:169.254.169.254]/',
        'gopher://x',
        'http://0xA9FEA9FE/',
        `https://a.example/${'x'.repeat(2_050)}`,
        'https://u:p@a.example/',
        'http://10.0.0.1/',
        'javascript:1',
        '',
        '\u0000',
      ]
      for (const url of urls) {
        const { status } = await siege.post('/v1/runs', {
          input: '@say x',
          model: 'openai/x',
          webhook: { url },
        })
        if (!siege.node && url.includes('127.0.0.1')) continue
        must(status === 422, `${url.slice(0, 50)}: ${status}`)
      }
    },
  },
  {
    name: 'receiver-replays-by-the-dozen',
    against,
    what: 'asks for everything to be sent again, again and again',
    async run(siege) {
      const peer = await siege.peer(does('refuses', (s) => respond(s, 500, '')))
      await siege.finish({ input: '@say told', webhook: { url: `${peer.origin}/x` } })
      const { json } = await siege.ask('/v1/webhook-deliveries')
      for (const one of json?.data ?? [])
        await many(10, () => siege.post(`/v1/webhook-deliveries/${one.id}/replay`, {}))
    },
  },
  {
    name: 'receiver-feeds-its-own-hook',
    apart: true,
    against,
    what: 'posts every end of a run to a hook of ours, which starts the next run',
    async run(siege) {
      const hook = await siege.post('/v1/hooks', {
        scheme: 'github',
        secret: 's'.repeat(20),
        template: '@say again',
        agent: 'general',
        limits: { timeout_seconds: 4 },
      })
      let fed = 0
      const { createHmac } = await import('node:crypto')
      const peer = await siege.peer(
        does('feeds', (s, { body }) => {
          respond(s, 204, '')
          if (fed++ > 40) return
          const signature = `sha256=${createHmac('sha256', 's'.repeat(20)).update(body).digest('hex')}`
          siege
            .ask(`/v1/hooks/${hook.json.id}`, {
              method: 'POST',
              body,
              headers: {
                authorization: '',
                'content-type': 'application/json',
                'x-hub-signature-256': signature,
                'x-github-event': 'x',
                'x-github-delivery': `${siege.nth}-${fed}`,
              },
            })
            .catch(() => {})
        }),
      )
      const endpoint = await siege.post('/v1/webhook-endpoints', {
        url: `${peer.origin}/x`,
        events: ['run.completed'],
      })
      await siege.finish({ input: '@say begin' })
      await siege.hold(1_500)
      siege.saw('fed', fed)
      await siege.ask(`/v1/webhook-endpoints/${endpoint.json?.id}`, { method: 'DELETE' })
      await siege.ask(`/v1/hooks/${hook.json?.id}`, { method: 'DELETE' })
    },
  },
]

export const RECEIVERS: readonly Attack[] = [
  ...OWN,
  ...HOSTILE_NAMES.map((name) => receiver(name, HOSTILE[name].what, HOSTILE[name])),
]
