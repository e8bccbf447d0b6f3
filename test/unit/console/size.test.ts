/** The sizes of the built console, compressed: what a browser loads before the chat can be used. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { buildConsole } from '../../tools/console.ts'

const KIB = 1_024
const BUDGET_KIB = { script: 220, style: 16, palette: 10, runs: 10, webhooks: 18 } as const

it('the chat needs at most 220 KiB of scripts, the palette and the runs 10 more each, the webhooks 18, and nothing is inline', async () => {
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
    const chat = names.find((name) => /^chat-.*\.js$/.test(name)) ?? ''
    const loaded = new Set<string>()
    const load = (name: string): void => {
      if (loaded.has(name)) return
      loaded.add(name)
      const imports = text(`assets/${name}`).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)
      for (const [, to = ''] of imports) load(to)
    }
    load(entry)
    load(chat)
    const chatFiles = new Set(loaded)
    const moreFor = (part: RegExp): Set<string> => {
      loaded.clear()
      load(names.find((name) => part.test(name)) ?? '')
      return new Set([...loaded].filter((name) => !chatFiles.has(name)))
    }
    const paletteFiles = moreFor(/^palette-content-.*\.js$/)
    const runsFiles = moreFor(/^runs-.*\.js$/)
    const webhooksFiles = moreFor(/^webhooks-.*\.js$/)
    const sizeOf = (all: Iterable<string>): number =>
      [...all].reduce((sum, name) => sum + read(`assets/${name}`).length, 0) / KIB
    const script = sizeOf(chatFiles)
    const palette = sizeOf(paletteFiles)
    const runs = sizeOf(runsFiles)
    const webhooks = sizeOf(webhooksFiles)
    const style = sizeOf(new Set(names.filter((name) => name.endsWith('.css'))))
    console.log(
      `console, gzip: ${Math.round(script)} KiB of scripts, ${Math.round(style)} KiB of styles, ` +
        `${palette.toFixed(1)} KiB more for the palette, ${runs.toFixed(1)} for the runs, ` +
        `${webhooks.toFixed(1)} for the webhooks`,
    )
    expect(chatFiles.size).toBeGreaterThan(2)
    expect(paletteFiles.size).toBeGreaterThan(0)
    expect(runsFiles.size).toBeGreaterThan(0)
    expect(webhooksFiles.size).toBeGreaterThan(0)
    expect(runs).toBeLessThan(BUDGET_KIB.runs)
    expect(webhooks).toBeLessThan(BUDGET_KIB.webhooks)
    expect(palette).toBeLessThan(BUDGET_KIB.palette)
    expect(script).toBeLessThan(BUDGET_KIB.script)
    expect(style).toBeLessThan(BUDGET_KIB.style)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
