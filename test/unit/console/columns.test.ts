/** The columns of the run list without React: what is shown, widths, and damaged stored values. */

import { describe, expect, it } from 'vitest'
import {
  COLUMN_NAMES,
  type Columns,
  columnsIn,
  DEFAULT_COLUMNS,
  isAfterInput,
  MAX_PX,
  MIN_PX,
  shownColumns,
  templateOf,
  widthOf,
  withColumn,
  withoutWidth,
  withWidth,
} from '../../../src/console/runs/columns.ts'

describe('the columns of the run list', () => {
  it('are as many as the page has room for, until the reader chooses', () => {
    expect(shownColumns(DEFAULT_COLUMNS.visible, 'wide')).toEqual(COLUMN_NAMES)
    expect(shownColumns(DEFAULT_COLUMNS.visible, 'medium')).not.toContain('tokens')
    const chosen = withColumn(withColumn(DEFAULT_COLUMNS, 'agent', 'medium'), 'tokens', 'medium')
    for (const room of ['medium', 'wide'] as const)
      expect(shownColumns(chosen.visible, room)).toEqual([
        ...['status', 'input', 'started', 'took', 'tokens', 'cost'],
      ])
    expect(shownColumns(chosen.visible, 'narrow')).toEqual([
      'status',
      'agent',
      'input',
      'took',
      'cost',
    ])
    expect(shownColumns(withColumn(chosen, 'agent', 'wide').visible, 'wide')[1]).toBe('agent')
  })

  it('have widths within bounds, and a default to return to', () => {
    const columns = withWidth(withWidth(DEFAULT_COLUMNS, 'agent', 9), 'cost', 9_999)
    expect(columns.widths).toEqual({ agent: MIN_PX, cost: MAX_PX })
    expect(withWidth(columns, 'agent', 99.6).widths.agent).toBe(100)
    expect(withoutWidth(columns, 'agent').widths).toEqual({ cost: MAX_PX })
    expect(widthOf(withoutWidth(columns, 'agent'), 'agent', 'wide')).toBe(136)
    expect(['agent', 'started'].map((name) => isAfterInput(name as 'agent'))).toEqual([false, true])
  })

  it('become a template with a least width', () => {
    const columns: Columns = { visible: ['status', 'input'], widths: { status: 200 } }
    expect(templateOf(columns, 'wide')).toEqual({
      template: '36px 200px minmax(160px, 1fr)',
      leastPx: 36 + 200 + 160 + 24 + 16,
    })
  })

  it.each([
    ...[null, '', 'nonsense', '[]', 'null', '7', '{"widths": 3, "visible": "agent"}'],
    ...['{"widths": {"agent": "wide", "cost": -1, "took": null, "x": 90}, "visible": null}'],
  ])('have their defaults if the stored value is %j', (text) => {
    expect(columnsIn(text)).toEqual(DEFAULT_COLUMNS)
  })

  it('survive being stored; unknown names are dropped, and the input is always shown', () => {
    const columns = withWidth(withColumn(DEFAULT_COLUMNS, 'cost', 'wide'), 'agent', 200)
    expect(columnsIn(JSON.stringify(columns))).toEqual(columns)
    const stored = { visible: ['future', 'cost'], widths: { agent: 200, future: 90 } }
    expect(columnsIn(JSON.stringify(stored))).toEqual({
      visible: ['input', 'cost'],
      widths: { agent: 200 },
    })
  })
})
