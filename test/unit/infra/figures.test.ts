/** Figures that dry runs write into the pages of the platforms. */

import { describe, expect, it } from 'vitest'
import {
  bundleSizes,
  figuresIn,
  numbersIn,
  pageOf,
  resourceCounts,
  withFigures,
  workerSizes,
} from '../../../infra/figures.ts'
import { BUDGET_KIB } from '../../../src/cli/deploy/budget.ts'

const BLOCK = 'before\n<!-- sizes: written by the dry run -->\nold\n<!-- /sizes -->\nafter\n'

describe('the figures of a page', () => {
  it('replace only what is between the marks', () => {
    const page = withFigures(BLOCK, 'sizes', 'new')
    expect(page).toBe(BLOCK.replace('old', 'new'))
    expect(figuresIn(page, 'sizes')).toBe('new')
    expect(() => withFigures(BLOCK, 'resources', 'new')).toThrow('no place for resources')
  })

  it('of the Workers are below their budgets, and state them', () => {
    const table = figuresIn(pageOf('cloudflare.md'), 'sizes')
    const { '`strata`': worker, '`strata-sandbox`': sandbox } = numbersIn(table)
    expect(table).toBe(workerSizes({ worker: worker!, sandbox: sandbox! }))
    expect(worker).toBeLessThanOrEqual(BUDGET_KIB.worker)
    expect(sandbox).toBeLessThanOrEqual(BUDGET_KIB.sandbox)
  })

  it('of AWS include every size and every type of resource', () => {
    const page = pageOf('aws.md')
    const sizes = numbersIn(figuresIn(page, 'sizes'))
    const none = bundleSizes({ bytes: 0, gzip: 0, startBytes: 0 })
    expect(Object.keys(sizes)).toEqual(Object.keys(numbersIn(none)))
    const [all = 0, ...parts] = Object.values(sizes)
    expect(Math.max(...parts)).toBeLessThan(all)
    const counts = numbersIn(figuresIn(page, 'resources'))
    expect(Object.keys(counts)).toEqual(Object.keys(numbersIn(resourceCounts({ Resources: {} }))))
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
  })

  it('state the number of resources of each type', () => {
    const Resources = { A: { Type: 'AWS::SQS::Queue' }, B: { Type: 'AWS::SQS::Queue' } }
    expect(numbersIn(resourceCounts({ Resources }))).toMatchObject({ queues: 2, tables: 0 })
  })
})
