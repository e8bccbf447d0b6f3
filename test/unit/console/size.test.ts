/** The sizes of the built console, compressed: what a browser loads before each page can be used. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildConsole } from '../../tools/console.ts'

const KIB = 1_024
const BUDGET_KIB = { chat: 220, style: 16 } as const
/** Budgets of further parts in KiB: what each loads more than the chat. */
const PARTS_KIB = {
  ...{ 'palette-content': 10, runs: 10, run: 40, approvals: 16, fanout: 14, effective: 14 },
  ...{ layers: 30, editor: 150, import: 14, schedules: 14, memory: 12, webhooks: 18 },
  ...{ keys: 11, secrets: 8, tenants: 10, usage: 34, audit: 10, settings: 10, 'en-pages': 18 },
} as const

it('each part of the console is within its budget, and nothing is inline', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-console-'))
  try {
    expect(await buildConsole(join(folder, 'assets'))).toBe(true)
    const root = join(folder, 'assets/console')
    const read = (name: string): Buffer => readFileSync(join(root, `${name}.gz`))
    const text = (name: string): string => gunzipSync(read(name)).toString()
    const names = readdirSync(join(root, 'assets')).map((name) => name.replace(/\.(?:br|gz)$/, ''))
    const page = text('index.html')
    expect(page).not.toMatch(/<style|<script>|\son\w+=/)
    const [, entry = ''] = /src="\/console\/assets\/([^"]+)"/.exec(page) ?? []
    /** Files that the browser loads with a file, without those that it has. */
    const filesOf = (name: string, loaded: ReadonlySet<string> = new Set()): Set<string> => {
      const files = new Set<string>()
      const load = (file: string): void => {
        if (files.has(file) || loaded.has(file)) return
        files.add(file)
        const imports = text(`assets/${file}`).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)
        for (const [, to = ''] of imports) load(to)
      }
      load(name)
      return files
    }
    const fileOf = (part: string): string =>
      names.find((name) => new RegExp(`^${part}-[\\w-]{8}\\.js$`).test(name)) ?? ''
    const sizeOf = (all: Iterable<string>): number =>
      [...new Set(all)].reduce((sum, name) => sum + read(`assets/${name}`).length, 0) / KIB
    const chatFiles = new Set([...filesOf(entry), ...filesOf(fileOf('chat'))])
    const style = sizeOf(names.filter((name) => name.endsWith('.css')))
    const parts = Object.entries(PARTS_KIB).map(([part, budget]) => {
      expect(fileOf(part), part).not.toBe('')
      return { part, budget, size: sizeOf(filesOf(fileOf(part), chatFiles)) }
    })
    const sizes = parts.map(({ part, size }) => `${part} ${size.toFixed(1)}`).join(', ')
    const chat = sizeOf(chatFiles)
    console.log(
      `console, KiB of gzip: chat ${Math.round(chat)}, styles ${style.toFixed(1)}, ${sizes}`,
    )
    expect(chatFiles.size).toBeGreaterThan(2)
    expect(chat).toBeLessThan(BUDGET_KIB.chat)
    expect(style).toBeLessThan(BUDGET_KIB.style)
    expect(parts.filter(({ size, budget }) => size >= budget)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
