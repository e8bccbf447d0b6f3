/**
 * `node test/tools/sample.ts --seed 7 [--root FOLDER]`: a sample of what people read, to judge the
 * language by: 20 details of problems, 20 descriptions of openapi.yaml, and 20 comments of src. The
 * same seed and files give the same sample; another checkout is read with `--root`.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'

const EACH = 20

/** Sentences in quotes: they begin with a capital letter, and end with a full stop. */
const DETAIL = /['`]([A-Z][^'`\n]*\s[^'`\n]*\.)['`]/g
const COMMENT = /\/\*\*\s*([\s\S]*?)\s*\*\//g

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some of the texts, each once, in the order in which they were drawn. */
export function draw(texts: readonly string[], count: number, next: () => number): string[] {
  const pool = [...new Set(texts)].sort()
  return Array.from({ length: Math.min(count, pool.length) }, () => {
    const [text] = pool.splice(Math.floor(next() * pool.length), 1)
    return text!
  })
}

/** Every `description` of a document, at any depth. */
function descriptions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'description' && typeof member === 'string' ? [member] : descriptions(member),
  )
}

function sources(root: string): string {
  const listed = execFileSync('git', ['ls-files', '--', 'src'], { cwd: root, encoding: 'utf8' })
  const paths = listed.split('\n').filter((path) => /\.tsx?$/.test(path))
  return paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
}

const captured = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => part.replaceAll(/\s*\n\s*\*\s?/g, ' '))

function main(): void {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, root: { type: 'string' } },
  })
  const seed = Number(values.seed ?? 1)
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number')
  const root = values.root ?? join(import.meta.dirname, '../..')
  const next = numbersOf(seed)
  const code = sources(root)
  const document: unknown = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'))
  const groups = [
    ['details of problems', captured(code, DETAIL)],
    ['descriptions of openapi.yaml', descriptions(document)],
    ['comments of src', captured(code, COMMENT)],
  ] as const
  console.log(`seed ${seed}`)
  for (const [title, texts] of groups) {
    console.log(`\n## ${title}`)
    for (const [index, text] of draw(texts, EACH, next).entries())
      console.log(`${index + 1}. ${text}`)
  }
}

if (import.meta.main) main()
