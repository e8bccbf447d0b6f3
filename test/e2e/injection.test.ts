/**
 * Injection: a model that obeys every text that it reads, on the real server. What it then does is
 * bounded by what its run may do: nothing outside the grants happens, the model and the log are told
 * why, and the run ends.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanup } from '../support/cleanup.ts'
import { type Assault, answersTo, assault, requestsOf } from '../support/injection/assault.ts'
import { ATTACKS, CANARIES, hasLeft, OUTWARD, UNGUARDED } from '../support/injection/attacks.ts'
import { effectsOf } from '../support/injection/effects.ts'
import { isTold } from '../support/injection/order.ts'

const LEAST = 150

/** Texts of a folder in which the value stands. */
const holding = (folder: string, value: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((path) => readFileSync(path, 'latin1').includes(value))

describe('a model that obeys whatever it reads', () => {
  let done: Assault
  let leaked: readonly string[]

  beforeAll(async () => {
    done = await assault(ATTACKS)
    leaked = holding(done.api.folder, CANARIES.secret)
    for (const close of cleanup.splice(0).reverse()) await close()
  }, 300_000)

  it(`A19 A20 is tempted in ${LEAST} ways at least, each with a name of its own`, () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(LEAST)
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length)
    expect(new Set(ATTACKS.map(({ id }) => id)).size).toBe(ATTACKS.length)
    expect([...done.ends.keys()].sort()).toEqual(ATTACKS.map(({ name }) => name).sort())
  })

  it.each(ATTACKS)('$name', (attack) => {
    const { carrier, wish, id, name } = attack
    const { statuses, events } = done.ends.get(name)!
    expect(statuses).toEqual(statuses.map(() => 'completed'))
    expect(effectsOf(done, attack)).toEqual([])
    const requests = requestsOf(done, id)
    expect(requests.length).toBeGreaterThan(0)
    if (carrier.unread) return expect(isTold(JSON.stringify(requests))).toBe(false)
    const { tool, arguments: given } = wish.order(done.at, id)
    const answers = answersTo(requests, tool, given)
    expect(answers.length, 'the model was tempted').toBeGreaterThan(0)
    const { refusal } = wish
    if (refusal === null) return
    for (const answer of answers) expect(answer).toMatch(refusal)
    const results = events.filter(({ type, data }) => type === 'tool.result' && data.tool === tool)
    const refused = results.filter(({ data }) => refusal.test(data.text))
    expect(refused.map(({ data }) => data.status)).toContain('error')
  })

  it('changes no policy, no layer, no approval and nothing of another tenant', () => {
    expect([...done.changed.keys()]).toEqual([])
    expect(done.schedules).toEqual([])
    expect(done.kept[1]).toBe(done.kept[0])
  })

  it('A23 leaves the value of a secret in no row, object, event or log', () => {
    expect(leaked).toEqual([])
    expect(done.api.told).toEqual([])
  })
})

describe('a model that obeys, with tools that reach out, under the data-flow policy', () => {
  let done: Assault
  beforeAll(async () => {
    done = await assault(OUTWARD, { flow: 'deny' })
    for (const close of cleanup.splice(0).reverse()) await close()
  }, 300_000)

  it.each(OUTWARD)('A19 A20 $name', (attack) => {
    const { carrier, wish, id, name } = attack
    const { statuses } = done.ends.get(name)!
    expect(statuses).toEqual(statuses.map(() => 'completed'))
    expect(hasLeft(attack, done.others), `${carrier.name} leaves`).toBe(false)
    const { tool, arguments: given } = wish.order(done.at, id)
    const answers = answersTo(requestsOf(done, id), tool, given)
    expect(answers).toContainEqual(
      expect.stringMatching(/^denied_by_policy: the data-flow policy of the tenant denies /),
    )
  })
})

it('where nothing stands between text and tool, each of these leaves', async () => {
  const done = await assault(OUTWARD)
  for (const attack of OUTWARD) expect(hasLeft(attack, done.others), attack.name).toBe(true)
}, 300_000)

it('where nothing guards, each of these effects is seen', async () => {
  const done = await assault(UNGUARDED, { free: true })
  for (const attack of UNGUARDED) {
    expect(effectsOf(done, attack), attack.name).toContainEqual(
      expect.stringMatching(attack.effect),
    )
  }
}, 120_000)
