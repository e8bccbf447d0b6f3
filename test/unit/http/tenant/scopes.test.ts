/** Every route of the API by every scope that a key can have. */

import { describe, expect, it } from 'vitest'
import { GRANTS, SCOPES, type Scope } from '../../../../src/core/scopes.ts'
import { LINK_PATH } from '../../../../src/core/token.ts'
import { DEFAULT_TENANT } from '../../../../src/engine/partition/keys.ts'
import { createKey } from '../../../../src/engine/tenant/api-keys.ts'
import { createApp } from '../../../../src/http/app.ts'
import type { Route } from '../../../../src/http/request/route.ts'
import { TENANT, testWorld, withTime } from '../../../support/drive.ts'

const world = testWorld()
const { app, routes } = createApp(world)
/**
 * Each operation of `/mcp` needs its own scope, so the route itself admits every key. A link has its
 * token in the path.
 */
const guarded = routes.flatMap((route) => {
  const { scope, path } = route
  const isElsewhere = path === '/mcp' || path.startsWith(LINK_PATH)
  return scope === null || scope === 'any' || isElsewhere ? [] : [{ ...route, scope }]
})

const keys = new Map<string, string>()
const keyOf = async (scope: string, tenant: string): Promise<string> => {
  const key = keys.get(`${tenant} ${scope}`) ?? (await createKey(world, tenant, [scope])).key
  keys.set(`${tenant} ${scope}`, key)
  return key
}

type Asked = Pick<Route, 'method' | 'path' | 'operator'>

async function answerTo({ method, path, operator }: Asked, scope: string) {
  const tenant = operator ? DEFAULT_TENANT : TENANT
  const url = path.replaceAll(/\{\w+\+\}/g, 'base/none.md').replaceAll(/\{\w+\}/g, 'none')
  const sends = !['get', 'delete'].includes(method)
  const response = await withTime(
    world,
    Promise.resolve(
      app.request(url, {
        method: method.toUpperCase(),
        headers: {
          authorization: `Bearer ${await keyOf(scope, tenant)}`,
          ...(sends ? { 'content-type': 'application/json' } : {}),
        },
        ...(sends ? { body: '{}' } : {}),
      }),
    ),
  )
  const { status } = response
  const text = status === 401 || status === 403 ? await response.text() : ''
  return { status, ...(text === '' ? {} : (JSON.parse(text) as { code: string; detail: string })) }
}

/** The grants that hold a scope: itself, its family, and all. */
const holding = (scope: Scope): readonly string[] => ['*', scope, `${scope.split(':')[0]}:*`]

describe.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    it('admits its own scope, and names it when refusing any other [H11]', async () => {
      const { scope } = route
      for (const grant of GRANTS) {
        const answer = await answerTo(route, grant)
        if (holding(scope).includes(grant)) {
          expect([grant, answer.code]).toEqual([grant, undefined])
          continue
        }
        expect([grant, answer.status, answer.code]).toEqual([grant, 403, 'insufficient_scope'])
        expect(answer.detail).toContain(scope)
      }
    })
  },
)

/** The body that names the layer, of routes that take it there. */
const IN_BODY: Readonly<Record<string, (layer: string) => object>> = {
  migrateLayer: (layer) => ({ layer }),
  reloadRuntime: (layer) => (layer === 'base/' ? {} : { role: layer.split('/')[1], scope: 'role' }),
}

it('layers:write for a prefix writes to the layers below it, by every route', async () => {
  const grant = 'layers:write:roles/support/'
  const writes = guarded.filter(({ scope }) => scope === 'layers:write')
  expect(writes.length).toBeGreaterThan(15)
  for (const { id, method, path } of writes) {
    const write = async (layer: string) => {
      const inBody = IN_BODY[id]?.(layer)
      const place = path.replaceAll(/\{\w+\}/g, 'none')
      const response = await withTime(
        world,
        Promise.resolve(
          app.request(inBody ? place : `${place}?layer=${encodeURIComponent(layer)}`, {
            method: method.toUpperCase(),
            headers: {
              authorization: `Bearer ${await keyOf(grant, TENANT)}`,
              'content-type': 'application/json',
            },
            ...(method === 'delete' ? {} : { body: JSON.stringify(inBody ?? bodyOf(id)) }),
          }),
        ),
      )
      return [id, layer, (await response.json()) as { code?: string; detail?: string }] as const
    }
    for (const layer of ['base/', 'roles/sales/', 'roles/supporters/']) {
      const [, , { code, detail }] = await write(layer)
      expect([id, layer, code]).toEqual([id, layer, 'insufficient_scope'])
      expect(detail).toBe(`The key can write only below roles/support/, not to ${layer}.`)
    }
    expect([id, (await write('roles/support/'))[2].code]).not.toEqual([id, 'insufficient_scope'])
    // This one names a role and no path.
    if (id === 'reloadRuntime') continue
    expect([id, (await write('roles/support/../sales/'))[2].code]).toEqual([
      id,
      expect.stringMatching(/^invalid/),
    ])
  }
})

const BODIES: readonly (readonly [RegExp, object])[] = [
  [/^rollback/, { version: 'none' }],
  [/^putSkill/, { skill_md: '---\nname: none\ndescription: x\n---\nx' }],
  [/^putAgent/, { agent_md: '---\nname: none\ndescription: x\n---\nx' }],
  [/^updateAgent/, { description: 'x' }],
  [/^putMcpServer/, { url: 'https://x.example/mcp' }],
  [/^setSkillEnabled|^updateMcpServer/, { enabled: false }],
]
const bodyOf = (id: string): object => BODIES.find(([form]) => form.test(id))?.[1] ?? {}

it('every scope grants access to some route', () => {
  const used = new Set<Scope>(guarded.map(({ scope }) => scope))
  expect(SCOPES.filter((scope) => !used.has(scope))).toEqual([])
})

it('only the routes listed here accept a key with any scopes', () => {
  const any = routes.filter(({ scope }) => scope === 'any')
  expect(any.map(({ id }) => id).sort()).toEqual([
    'createAccessLink',
    'createSignInLink',
    'createToken',
    'deleteBrowserSession',
    'getBrowserSession',
    'showAccessLink',
  ])
})

it('only the routes listed here need no key', () => {
  expect(routes.filter(({ scope }) => scope === null).map(({ path }) => path)).toEqual(OPEN)
})

const OPEN = [
  '/v1/downloads',
  '/v1/oauth/callback',
  '/v1/browser-sessions',
  '/v1/hooks/{id}',
  '/healthz',
  '/readyz',
  '/.well-known/agent-card.json',
]
