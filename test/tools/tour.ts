/**
 * `npm run tour`: the rooms of src with a sentence each (src/README.md), how large their files are,
 * what points the wrong way, and what a change costs (CONTRIBUTING.md). Everything but the sentences
 * is counted from the code; exits with 1 when a circle or an upward import is found.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  circles,
  LAYERED,
  roomsOf,
  type Source,
  shapeOf,
  sources,
  upward,
} from '../support/source.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const lines = ({ lines: all }: Source): number => all.length - 1

const src = sources('src')
const rooms = roomsOf(read('src/README.md'))
const width = Math.max(...rooms.map(({ room }) => room.length))
for (const { room, says } of rooms) {
  const files = src.filter(({ path }) => path.replace(/\/[^/]+$/, '') === `src/${room}`)
  const sizes = `${String(files.length).padStart(3)} files, median ${String(median(files.map(lines))).padStart(3)}`
  console.log(`${room.padEnd(width)}  ${sizes}  ${says}`)
}

const largest = src.toSorted((a, b) => lines(b) - lines(a)).slice(0, 5)
const total = src.reduce((sum, one) => sum + lines(one), 0)
console.log(`\n${src.length} files, ${total} lines, median ${median(src.map(lines))}`)
console.log(`largest: ${largest.map((one) => `${one.path} ${lines(one)}`).join(', ')}`)

console.log('\nEntries, levels, and imports between the entries of a folder:')
for (const folder of LAYERED) {
  const { entries, levels, imports } = shapeOf(src, folder)
  console.log(`  ${folder}: ${entries} entries, ${levels} levels, ${imports} imports`)
}

const wrong = [...circles(src), ...upward(src)]
console.log(`circles (types counted): ${circles(src).length}`)
console.log(`upward imports: ${upward(src).length}`)
for (const one of wrong) console.log(`  ${one}`)

console.log('\nA change costs (files; counted by making and reverting one of each):')
const table = /\| change \|[\s\S]*?\n\n/.exec(read('CONTRIBUTING.md'))?.[0] ?? ''
for (const row of table.trim().split('\n').slice(2)) {
  const [, change = '', , files = ''] = row.split('|').map((cell) => cell.trim())
  console.log(`  ${change}: ${files}`)
}
process.exitCode = wrong.length > 0 ? 1 : 0
