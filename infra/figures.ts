/**
 * Figures in `infra/*.md`, which dry runs of the default deployment write between marks, so that
 * no page states an outdated size or count. `node infra/figures.ts cloudflare FOLDER` reads the
 * bundled Workers in FOLDER, `node infra/figures.ts aws FOLDER STACK` the CDK's output.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUDGET_KIB } from '../src/cli/deploy/budget.ts'

const INFRA = import.meta.dirname

export type Page = 'aws.md' | 'cloudflare.md'
type Name = 'sizes' | 'resources'

const marksOf = (name: Name): readonly [string, string] => [
  `<!-- ${name}: written by the dry run -->`,
  `<!-- /${name} -->`,
]

/** The text between the marks of a page. */
export function figuresIn(page: string, name: Name): string {
  const [begin, end] = marksOf(name)
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has no place for ${name}.`)
  return page.slice(from + begin.length, to).trim()
}

export function withFigures(page: string, name: Name, figures: string): string {
  const [begin, end] = marksOf(name)
  figuresIn(page, name)
  return `${page.slice(0, page.indexOf(begin) + begin.length)}\n${figures}\n${page.slice(page.indexOf(end))}`
}

function writeFigures(page: Page, name: Name, figures: string): void {
  const path = join(INFRA, page)
  writeFileSync(path, withFigures(readFileSync(path, 'utf8'), name, figures))
}

export const pageOf = (page: Page): string => readFileSync(join(INFRA, page), 'utf8')

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Numbers of the second column of a table, by the first. */
export const numbersIn = (table: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...table.matchAll(/^\| (.+?) \| ([\d,]+) \|/gm)].map(([, name = '', number = '']) => [
      name,
      Number(number.replaceAll(',', '')),
    ]),
  )

/** Compressed sizes of the Workers in KiB, beside what they may have. */
export const workerSizes = (kib: Readonly<Record<keyof typeof BUDGET_KIB, number>>): string =>
  tableOf(
    ['Worker', 'KiB compressed', 'KiB at most'],
    [
      ['`strata`', number(kib.worker), number(BUDGET_KIB.worker)],
      ['`strata-sandbox`', number(kib.sandbox), number(BUDGET_KIB.sandbox)],
    ],
  )

/** Sizes of the Lambda bundle, in bytes. */
export const bundleSizes = (sizes: {
  readonly bytes: number
  readonly gzip: number
  readonly startBytes: number
}): string =>
  tableOf(
    ['Bundle', 'KiB'],
    [
      ['all files, pages and texts included', number(sizes.bytes / 1_024)],
      ['compressed', number(sizes.gzip / 1_024)],
      ['loaded by a cold start', number(sizes.startBytes / 1_024)],
    ],
  )

const number = (value: number): string => Math.round(value).toLocaleString('en-US')

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>
}

/** Counted resources of a stack, without permissions and settings of the CDK. */
const COUNTED: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'tables',
  'AWS::S3::Bucket': 'buckets',
  'AWS::SQS::Queue': 'queues',
  'AWS::Lambda::Function': 'functions',
  'AWS::Lambda::EventSourceMapping': 'event sources',
  'AWS::Events::Rule': 'rules of the clock',
  'AWS::CloudWatch::Alarm': 'alarms',
}

/** How many resources of each kind the template of a stack has. */
export const resourceCounts = ({ Resources }: Template): string => {
  const types = Object.values(Resources).map(({ Type }) => Type)
  return tableOf(
    ['Resources', 'Count'],
    Object.entries(COUNTED).map(([type, name]) => [
      name,
      types.filter((one) => one === type).length,
    ]),
  )
}

if (import.meta.main) {
  const [, , platform, folder = '', stack = ''] = process.argv
  const made = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
  if (platform === 'cloudflare') {
    const kib = (name: string): number =>
      gzipSync(readFileSync(join(folder, `${name}.js`))).length / 1_024
    const sizes = { worker: kib('worker'), sandbox: kib('sandbox') }
    writeFigures('cloudflare.md', 'sizes', workerSizes(sizes))
  } else {
    writeFigures('aws.md', 'sizes', bundleSizes(made('lambda.json')))
    writeFigures('aws.md', 'resources', resourceCounts(made(`${stack}.template.json`)))
  }
}
