/**
 * How fast objects in a folder are here: `node test/measure/bench/files.ts [folder]`. Prints one line a
 * case: operations a second and microseconds each. The folder should lie on a real disk.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFiles } from '../../../src/hosts/node/files.ts'
import { measure } from './measure.ts'

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'strata-bench-'))
const objects = openFiles(join(folder, 'objects'))
const body = new Uint8Array(4_096)
const skills = Array.from({ length: 20 }, (_, i) => `t/default/files/skills/s${i}/SKILL.md`)

await measure('puts, 1 at once', 500, async () => {
  for (let i = 0; i < 500; i += 1) await objects.put(skills[i % 20]!, body, 'any')
})
await measure('puts, 20 at once', 1_000, async () => {
  for (let i = 0; i < 50; i += 1)
    await Promise.all(skills.map((key) => objects.put(key, body, 'any')))
})
await measure('gets of 4 KB', 20_000, async () => {
  for (let i = 0; i < 20_000; i += 1) await objects.get(skills[i % 20]!)
})
await measure('gets of what is absent', 20_000, async () => {
  for (let i = 0; i < 20_000; i += 1) await objects.get('t/default/files/none/SKILL.md')
})
await measure('lists of a prefix that is not there', 20_000, async () => {
  for (let i = 0; i < 20_000; i += 1) await objects.list('t/default/roles/none/')
})
await measure('lists of 20 files in 20 folders', 2_000, async () => {
  for (let i = 0; i < 2_000; i += 1) await objects.list('t/default/files/')
})
rmSync(folder, { recursive: true })
