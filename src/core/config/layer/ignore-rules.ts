/**
 * Rules that exclude files of a folder from a push or an import: files ignored by git or
 * `.strataignore`, git's own files, likely secrets, and tests of the pack with their recordings.
 * Other files in a `tests` folder belong to the project and are kept. Patterns of files to include
 * override every exclusion.
 */

import type { Budget } from '../../../lib/budget.ts'
import { decode } from '../../../lib/bytes.ts'
import { gitignore, type Patterns } from './gitignore.ts'

/** Ignore files in order of precedence: rules of a later file override rules of an earlier one. */
const RULES = ['.gitignore', '.strataignore'] as const

export interface LeftOut {
  /**
   * Returns the name of the rule that excludes a file, or undefined if the file is pushed. `path`
   * must not be a folder.
   */
  ignored(path: string): string | undefined
  /** Returns why a file's name or body looks like a secret, or undefined if neither does. */
  secret(path: string, body?: Uint8Array): string | undefined
  /**
   * Whether a file is a test or recording of `strata test`; `read` returns at least the beginning
   * of the file.
   */
  ofTests(path: string, read: () => Uint8Array): boolean
  /** Returns why a folder is excluded and therefore not read, or undefined. */
  closed(folder: string): string | undefined
}

/** Whether an ignore rule comes from git; all other rules come from the author. */
const isOfGit = (rule: string): boolean => !rule.endsWith('.strataignore')

/** Rules of one ignore file. */
export interface Level {
  /**
   * Path from the folder of the ignore rules to the checked folder: empty, or with a trailing
   * slash.
   */
  readonly folder: string
  readonly file: string
  readonly rules: Patterns
}

/** Returns the text of an ignore file by its path; undefined if there is none. */
export type ReadRules = (path: string) => string | undefined

interface RuleOptions {
  /** Rules of the surrounding repository. */
  readonly above?: readonly Level[]
  /** Patterns of files to include anyway, in `.gitignore` syntax. */
  readonly include?: readonly string[]
  /** Budget of all comparisons, which throw `Exhausted` beyond it; unlimited if absent. */
  readonly budget?: Budget
}

/** Builds the rules of a folder. */
export function ignoreRules(
  read: ReadRules,
  { above = [], include = [], budget }: RuleOptions = {},
): LeftOut {
  const included = gitignore(include.join('\n'))
  const isIncluded = (path: string): boolean => included.test(path).ignored
  const levels = new Map<string, readonly Level[]>()
  const levelsOf = (folder: string): readonly Level[] => {
    const cached = levels.get(folder)
    if (cached) return cached
    const ownLevels = rulesIn(read, folder, budget)
    levels.set(folder, ownLevels)
    return ownLevels
  }
  const ruleByPath = new Map<string, string | undefined>()
  const ruleFor = (path: string): string | undefined => {
    if (!ruleByPath.has(path)) ruleByPath.set(path, findRule(path))
    return ruleByPath.get(path)
  }
  /** Returns the last rule that matches a path; rules of a folder override rules of its parents. */
  const findRule = (path: string): string | undefined => {
    const parts = path.replace(/\/$/, '').split('/')
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const folder = parts
        .slice(0, depth)
        .map((part) => `${part}/`)
        .join('')
      for (const { file, rules } of [...levelsOf(folder)].reverse()) {
        const { ignored, unignored } = rules.test(path.slice(folder.length))
        if (unignored) return undefined
        if (ignored) return `${folder}${file}`
      }
    }
    for (const { folder, file, rules } of above) {
      const { ignored, unignored } = rules.test(`${folder}${path}`)
      if (unignored) return undefined
      if (ignored) return file
    }
    return undefined
  }
  return {
    ignored(path) {
      if (path.split('/').includes('.git')) return 'git'
      if (isIncluded(path)) return undefined
      if (PACKAGES.test(path)) return 'node_modules'
      // Everything in an ignored folder is ignored, even if another rule includes it.
      const parts = path.split('/')
      for (let depth = 1; depth < parts.length; depth += 1) {
        const rule = ruleFor(`${parts.slice(0, depth).join('/')}/`)
        if (rule !== undefined) return rule
      }
      return ruleFor(path)
    },
    secret(path, body) {
      if (isIncluded(path)) return undefined
      return body !== undefined && holdsKey(body) ? 'contains a private key' : secretName(path)
    },
    ofTests: (path, read) => !isIncluded(path) && isOfTests(path, read),
    closed(folder) {
      if (/(?:^|\/)\.git\/$/.test(folder)) return 'git'
      if (include.length > 0) return undefined
      return PACKAGES.test(folder) ? 'node_modules' : ruleFor(folder)
    },
  }
}

/** Returns the rules of the ignore files in a folder: empty, or with a trailing slash. */
export function rulesIn(read: ReadRules, folder: string, budget?: Budget): Level[] {
  return RULES.flatMap((file) => {
    const text = read(`${folder}${file}`)
    return text === undefined ? [] : [{ folder, file, rules: gitignore(text, budget) }]
  })
}

/** Returns the rule if it comes from git; otherwise undefined. */
export const gitRule = (rule: string | undefined): string | undefined =>
  rule !== undefined && isOfGit(rule) ? rule : undefined

/**
 * Matches paths of installed packages, which are part of a layer only if the author includes them.
 */
const PACKAGES = /(?:^|\/)node_modules\//

const TEST = /^tests\/[^/]+\.md$/
const RECORDING = /^tests\/.+\.json$/

/**
 * Detects a test file by its location and content: front matter with expectations, or the first
 * member of a recording.
 */
export function isOfTests(path: string, read: () => Uint8Array): boolean {
  if (!TEST.test(path) && !RECORDING.test(path)) return false
  const text = decode(read())
  if (RECORDING.test(path)) return /^\s*\{\s*"strata_recording"\s*:/.test(text)
  const end = /\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  return (
    end !== null &&
    /^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*\n)?expect[ \t]*:/.test(text.slice(0, end.index))
  )
}

const SECRET_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^\.env|\.env$/, 'environment file'],
  [/\.(?:pem|key|p12|pfx|jks|keystore|ppk)$/, 'the name indicates a private key'],
  [/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, 'the name indicates a private key'],
  [/^(?:\.netrc|\.npmrc|\.pgpass|\.pypirc|\.git-credentials)$/, 'password file'],
  [/^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?$/, 'password file'],
]

function secretName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return SECRET_NAMES.find(([pattern]) => pattern.test(name))?.[1]
}

const KEY =
  /^\s*-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY|-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|\s){1,4}[A-Za-z0-9+/=]{40}/

/**
 * Whether a file body contains a private key; documents that only mention a key's header do not.
 */
const holdsKey = (body: Uint8Array): boolean => {
  const text = decode(body)
  return text.includes('PRIVATE KEY') && KEY.test(text)
}
