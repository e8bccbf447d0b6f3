/**
 * The shape of the code, as a test: imports point down only, the core has no clock, chance or I/O,
 * files stay short enough for one sitting. Function length is the linter's (biome.json).
 */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circles, floorOf, roomsOf, sources, upward } from './support/source.ts'

const ROOT = resolve(import.meta.dirname, '..')
const src = sources('src')
const tests = sources('test')
/** What hosts share. */
const SHELVES = new Set([
  'sql',
  'shared',
  'models',
  'mcp',
  'outbound',
  'search',
  'sandbox',
  'metrics',
  'traces',
])

/** A word in code, not in a comment or a text. */
function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, '``')
    .replace(/(^|[^:])\/\/.*$/gm, '$1')
}

describe('module levels', () => {
  it('every file belongs to a level', () => {
    expect(src.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)).toEqual([])
  })

  it('imports point down only', () => {
    // The ports name shapes of the core, and the core never names a port.
    expect(upward(src)).toEqual([])
  })

  it('the client imports only itself and webhooks, so it runs wherever fetch does', () => {
    const own = src.filter(({ path }) => path.startsWith('src/client/'))
    expect(own.length).toBeGreaterThan(0)
    const foreign = own.flatMap(({ path, text, imports }) => [
      ...imports
        .filter((to) => !/^src\/(?:client|webhooks)\//.test(to))
        .map((to) => `${path} → ${to}`),
      ...[...text.matchAll(/from '([^.][^']*)'/g)].map(([, to]) => `${path} → ${to}`),
    ])
    expect(foreign).toEqual([])
  })

  it('platforms never import one another, and share code only through shared folders', () => {
    const wing = (path: string): string | undefined => /^src\/hosts\/([^/]+)\//.exec(path)?.[1]
    const across = src.flatMap(({ path, imports }) => {
      const own = wing(path)
      if (own === undefined) return []
      const wrong = imports.filter((to) => {
        const other = wing(to)
        return other !== undefined && other !== own && !SHELVES.has(other)
      })
      return wrong.map((to) => `${path} → ${to}`)
    })
    expect(across).toEqual([])
  })

  it('files and entries of layered folders form no import cycle, types included', () => {
    expect(circles(src)).toEqual([])
  })

  it('src/README.md describes every folder of src in a sentence', () => {
    const rooms = roomsOf(readFileSync(join(ROOT, 'src/README.md'), 'utf8'))
    const folders = new Set(src.map(({ path }) => dirname(path).slice('src/'.length)))
    expect(rooms.map(({ room }) => room).toSorted()).toEqual([...folders].toSorted())
  })
})

const CORE_WORDS =
  /\b(Date|Math\.random|randomUUID|process|setTimeout|setInterval|fetch\(|async|await|Promise)\b/
const ENGINE_WORDS =
  /\b(Date|Math\.random|randomUUID|process|setTimeout|setInterval|setImmediate|queueMicrotask)\b|(?<![.\w])fetch\(/

/** The TOML parser makes Dates of its own; these two files ask whether it did. */
const DATES = { 'src/core/config/server/file.ts': true, 'src/core/config/toml/parse.ts': true }

describe('the console', () => {
  const own = src.filter(({ path }) => path.startsWith('src/console/'))
  const roomOf = (path: string): string => (path.split('/').length > 3 ? path.split('/')[2]! : '')

  it('imports only itself, the client, and its own packages', () => {
    expect(own.length).toBeGreaterThan(0)
    const foreign = own.flatMap(({ path, imports }) =>
      imports.filter((to) => !/^src\/(?:client|console)\//.test(to)).map((to) => `${path} → ${to}`),
    )
    expect(foreign).toEqual([])
  })

  it('reads logs without React and without a browser', () => {
    const wrong = own
      .filter(({ path }) => roomOf(path) === 'log')
      .filter(
        ({ text }) =>
          /\bfrom '(?!\.)/.test(text) ||
          /\b(?:window|document|\w+Storage|fetch)\b/.test(code(text)),
      )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('calls the server only through the client', () => {
    // They ask for files of the console.
    const files = ['src/console/sw.ts', 'src/console/data/release.ts']
    const others = own.filter(({ path }) => !files.includes(path))
    const wrong = others.filter(({ text }) =>
      /\bfetch\(|XMLHttpRequest|WebSocket|EventSource/.test(code(text)),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('forbidden dependencies', () => {
  it('of core are clocks, randomness, I/O, and asynchronous code', () => {
    const found = src
      .filter(({ path }) => path.startsWith('src/core/') && !(path in DATES))
      .filter(({ text }) => CORE_WORDS.test(code(text)))
    expect(found.map(({ path, text }) => `${path}: ${CORE_WORDS.exec(code(text))?.[0]}`)).toEqual(
      [],
    )
  })

  it('of engine and http are time, randomness, and the network, which enter through the world', () => {
    const found = src
      .filter(({ path }) => /^src\/(engine|http)\//.test(path))
      .filter(({ text }) => ENGINE_WORDS.test(code(text)))
    expect(found.map(({ path, text }) => `${path}: ${ENGINE_WORDS.exec(code(text))?.[0]}`)).toEqual(
      [],
    )
  })
})

/** Longer than 300 lines, each with the reason. */
const LONG: Readonly<Record<string, string>> = {
  'src/core/limits.ts': 'one table',
}

describe('files', () => {
  it('have at most 300 lines', () => {
    const long = src.filter(({ path, lines }) => lines.length > 301 && !(path in LONG))
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([])
  })

  it('that are tests have one topic and at most 800 lines', () => {
    expect(tests.length).toBeGreaterThan(0)
    const long = tests.filter(({ lines }) => lines.length > 801)
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([])
  })

  it('have lines of at most 100 columns', () => {
    const wide = src.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        // A template or a regular expression cannot be broken without changing what it says.
        line.length > 100 && !/`|^ *\/\S|biome-ignore|className=/.test(line) && !isProse(path)
          ? [`${path}:${index + 1}`]
          : [],
      ),
    )
    expect(wide).toEqual([])
  })

  it('open with a sentence that states their purpose', () => {
    const bare = src.filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text))
    expect(bare.map(({ path }) => path)).toEqual([])
  })

  it('are all used', () => {
    const entries = [
      'src/cli/strata.ts',
      'src/console/main.tsx',
      'src/console/sw.ts',
      'src/console/vite.config.ts',
      'src/hosts/embedded.ts',
      'src/webhooks/index.ts',
      'src/testing/index.ts',
      'src/hosts/lambda-entry.ts',
      'src/hosts/worker.ts',
      'src/hosts/sandbox.ts',
      'src/hosts/sandbox/child.ts',
    ]
    const byPath = new Map(src.map((one) => [one.path, one]))
    const reached = new Set<string>()
    const visit = (path: string): void => {
      if (reached.has(path)) return
      reached.add(path)
      for (const to of byPath.get(path)?.imports ?? []) visit(to)
    }
    for (const path of entries) visit(path)
    // The memory host is the reference implementation, which tests and the simulator run on; types
    // of the platform's modules are the compiler's.
    const unused = src.filter(
      ({ path }) =>
        !reached.has(path) && !path.startsWith('src/hosts/memory/') && !path.endsWith('.d.ts'),
    )
    expect(unused.map(({ path }) => path)).toEqual([])
  })

  it('contain no unfinished marks', () => {
    const marked = src.filter(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text))
    expect(marked.map(({ path }) => path)).toEqual([])
  })
})

/** Who owns objects of the bucket; `port-timeouts.ts` wraps the port. */
const OBJECT_WRITERS: Readonly<Record<string, string>> = {
  'src/engine/layers/files.ts': "a tenant's files",
  'src/engine/layers/store-index.ts': 'compiled layers',
  'src/engine/layers/summary.ts': 'summaries of resolved configs',
  'src/engine/memory/index-store.ts': 'indexes of memories',
  'src/engine/memory/vectors.ts': 'vectors of their passages',
  'src/engine/tenant/blobs.ts': 'bodies by digest',
  'src/engine/tenant/encrypted-ports.ts': 'every call, with encrypted bodies',
  'src/engine/tenants/import.ts': 'all objects of an imported tenant',
  'src/engine/worker/port-timeouts.ts': 'every call, with its timeout',
  'src/engine/worker/storage-marker.ts': 'the marker of the deployment, and every call by it',
}

/** Who builds names from a tenant: everything else calls them, so that no name lacks its tenant. */
const TENANT_NAMES: readonly string[] = [
  'src/engine/partition/home.ts',
  'src/engine/partition/keys.ts',
  'src/hosts/cloudflare/bindings/address.ts',
  'src/hosts/mcp/oauth-grants.ts',
  'src/hosts/mcp/shared-lists.ts',
  'src/lib/key.ts',
]

it('names of partitions, lists, and objects of a tenant are built in few places', () => {
  const builders = src.filter(
    ({ path, text }) =>
      /^src\/(?:core|engine|hosts|http|lib|ports)\//.test(path) &&
      /`\$\{(?:[\w#]+\.)*#?tenant\}\//.test(text),
  )
  expect(builders.map(({ path }) => path).sort()).toEqual(TENANT_NAMES)
})

describe('bucket objects', () => {
  const above = src.filter(({ path }) => /^src\/(engine|http)\//.test(path))

  it('are written and deleted only by their owners', () => {
    const writes = above.filter(({ text }) => /\bobjects\s*\.\s*(put|delete)\b/.test(text))
    expect(writes.map(({ path }) => path).sort()).toEqual(Object.keys(OBJECT_WRITERS))
  })

  it('of tenant files get their keys only from layers/files.ts', () => {
    const makes = above.filter(
      ({ path, text }) =>
        !path.startsWith('src/engine/layers/') && /\bfileKey\b|\/files\/\$\{/.test(text),
    )
    expect(makes.map(({ path }) => path)).toEqual([])
  })
})

describe('management', () => {
  it('is reached through the registry: http calls no operation of engine/manage directly', () => {
    // A layer and a history are named by these two; neither does anything to a resource.
    const allowed = ['index.ts', 'history.ts', 'place.ts'].map((one) => `src/engine/manage/${one}`)
    const past = src
      .filter(({ path }) => path.startsWith('src/http/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((to) => to.startsWith('src/engine/manage/') && !allowed.includes(to))
          .map((to) => `${path} → ${to}`),
      )
    expect(past).toEqual([])
  })
})

describe('tables', () => {
  const table = (path: string, entry: RegExp): string[] => {
    const { text } = src.find((one) => one.path === path)!
    return [...text.matchAll(entry)].map(([, name]) => name!)
  }
  const others = (path: string) => src.filter((one) => one.path !== path).map(({ text }) => text)

  it('contain no limit that is never read', () => {
    const path = 'src/core/limits.ts'
    const read = new Set(
      others(path).flatMap((text) => [
        ...(text.match(/(?<=\bLIMITS\.|\blimit\(')\w+/g) ?? []),
        ...[...text.matchAll(/\{([^{}]*)\} = LIMITS\b/g)].flatMap(
          ([, names]) => names!.match(/\w+/g)!,
        ),
      ]),
    )
    // Those of a key are constants of lib/key.ts, which knows no table.
    const names = table(path, /^ {2}(\w+): bound\((?!\s*KEY)/gm)
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter((name) => !read.has(name))).toEqual([])
  })

  it('contain no problem that is never reported', () => {
    const path = 'src/core/problem.ts'
    const rest = others(path).join('\n')
    const codes = table(path, /^ {2}(\w+): \[\d/gm)
    expect(codes.length).toBeGreaterThan(30)
    expect(codes.filter((code) => !rest.includes(`'${code}'`))).toEqual([])
  })
})

/** Prompts and descriptions for models, and words of pages: texts, whose lines are sentences. */
const isProse = (path: string): boolean =>
  path.startsWith('src/core/builtin/') ||
  path.startsWith('src/console/i18n/') ||
  path === 'src/core/prompt.ts' ||
  path === 'src/core/config/agent/tool-names.ts'

describe('documents', () => {
  it('have exactly one title', () => {
    const documents = readdirSync(ROOT).filter((name) => name.endsWith('.md'))
    const titles = documents.map((name) => {
      const text = readFileSync(join(ROOT, name), 'utf8').replace(/```[\s\S]*?```/g, '')
      return [name, (text.match(/^# /gm) ?? []).length]
    })
    expect(titles.filter(([, count]) => count !== 1)).toEqual([])
  })
})

/** Ours, and those of suites and of infra/ that have packages of their own. */
const PACKAGES = globSync('{.,infra,test/clients,test/support/*,test/tools/*}/package.json', {
  cwd: ROOT,
})

it('every package has a lock file', () => {
  expect(PACKAGES.length).toBeGreaterThan(4)
  const bare = PACKAGES.filter(
    (path) => !existsSync(join(ROOT, dirname(path), 'package-lock.json')),
  )
  expect(bare).toEqual([])
})

describe.each(PACKAGES)('the lock file of %s', (path) => {
  const read = (name: string) => readFileSync(join(ROOT, dirname(path), name), 'utf8')
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>
  }

  it('is complete: every optional dependency has an entry', () => {
    const names = Object.keys(lock.packages)
    const missing = Object.values(lock.packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !names.some((path) => path.endsWith(`node_modules/${name}`)))
    expect(missing).toEqual([])
  })

  it('names no registry host', () => {
    const named = Object.values(lock.packages).filter(({ resolved }) =>
      /^http/.test(resolved ?? ''),
    )
    expect(named).toEqual([])
  })

  it('matches exact versions in package.json', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    )
    expect(loose).toEqual([])
  })
})

/**
 * Words that this code once had and that nobody would look for. Declared names only: types,
 * functions, members and constants; a reason for each that stays. `again` and `handle` are local
 * English in places (once more; of a file, of a queue message) and no names of ours.
 */
const NEVER_SAID =
  /^(?:debts?|owed|owing|owes|paid|unpaid|letters?|LETTERS|takeLetters|hear|heard|inbox|INBOX_ROWS|lookAt|LOOK_AGAIN_MS|claims?|claimed|alone|Drive|Ledger|Kind|Mover|Yield|Arrival|guest|holder|basis|restsOn|beginBy|exclusive|resends|strays?|lately|Place|Asked|Thing|Manager|LateDebt|hearLate|isHeard|isTold|toldUpTo|untold)$/
const STAYS: Readonly<Record<string, string>> = {
  'src/core/config/layer/fold-input.ts alone': 'one layer by itself, for strata check',
  'src/core/config/layer/folder-check.ts alone': 'the same, as the check says it',
  'src/core/issuer.ts claims': 'members of a JSON Web Token (RFC 7519)',
  'src/lib/automaton.ts Place': 'a place in a text, which a pattern asserts',
  'src/lib/pattern.ts letter': 'of the alphabet',
}
const DECLARED =
  /^\s*(?:export )?(?:(?:async )?function|class|interface|type|const) (\w+)|^\s*(?:readonly )?#?(\w+)\??: |^\s*(?:async |get )?#?(\w+)\([^)]*\)(?:: [^=]+)? \{$/gm

describe('names', () => {
  it('are the field’s words, and none is private to this code', () => {
    const found = src.flatMap(({ path, text }) =>
      [...code(text).matchAll(DECLARED)]
        .map(([, one, two, three]) => one ?? two ?? three ?? '')
        .filter((name) => NEVER_SAID.test(name) && !(`${path} ${name}` in STAYS))
        .map((name) => `${path} ${name}`),
    )
    expect([...new Set(found)]).toEqual([])
  })
})

/** Words of ours in comments, left of the glossary's "say" column (ARCHITECTURE.md, "never say"). */
const NEVER_WRITTEN =
  /\b(?:letters?|debts?|ow(?:e|es|ed|ing)|(?:un)?paid|guests?|(?:lease )?holders?|claim(?:s|ed)?|inbox|told|heard?|hears|strays?|resends?)\b|\b(?:a|an|another|each|every|five|last|more|next|one|own|such|that|the|this) looks?\b(?! like)/i
const CHARACTERS = 'letters are characters here'
/** Files whose comments may hold such a word, each with the reason. */
const WRITTEN: Readonly<Record<string, readonly [word: string, reason: string]>> = {
  'src/core/config/yaml/simple-head.ts': ['letter', CHARACTERS],
  'src/core/issuer.ts': ['claim', 'members of a JSON Web Token (RFC 7519)'],
  'src/core/run/views/tags.ts': ['letter', CHARACTERS],
  'src/core/tools/mcp-name.ts': ['letters', CHARACTERS],
  'src/hosts/lambda.ts': ['letter', 'dead-letter queue is the name of such a queue'],
  'src/lib/hide.ts': ['letters', CHARACTERS],
  'src/lib/name.ts': ['letters', CHARACTERS],
  'src/lib/tags.ts': ['letter', CHARACTERS],
  'src/lib/url.ts': ['letters', CHARACTERS],
  'src/lib/invisible-characters.ts': ['letters', CHARACTERS],
  'src/ports/store.ts': ['letters', CHARACTERS],
}

/** Comments of a file, each as one line; names in backticks are code and left out. */
const comments = (text: string): string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g)].map(([comment]) =>
    comment
      .replace(/\n\s*\*?/g, ' ')
      .replace(/`[^`]*`/g, '')
      .replace(/\s+/g, ' '),
  )

describe('comments', () => {
  it('state what the code is, and begin with no riddle', () => {
    const riddle = /^\/\*\*? (?:What|Who|Whoever)\b[^?]*$/
    const riddles = src.flatMap(({ path, text }) =>
      comments(text).flatMap((comment) =>
        riddle.test(comment.replace(/^(\/\*\*?)\s*\*?\s*/, '$1 ')) ? [`${path}: ${comment}`] : [],
      ),
    )
    expect(riddles).toEqual([])
  })

  it("use the field's words", () => {
    const wrong = src.flatMap(({ path, text }) =>
      comments(text).flatMap((comment) => {
        const [found] = NEVER_WRITTEN.exec(comment) ?? []
        const allowed = WRITTEN[path]?.[0]
        return found === undefined ||
          (allowed && found.toLowerCase().startsWith(allowed.replace(/s$/, '')))
          ? []
          : [`${path}: ${found} in ${comment}`]
      }),
    )
    expect(wrong).toEqual([])
    // An exception that is no longer needed goes.
    const idle = Object.entries(WRITTEN).filter(
      ([path, [word]]) =>
        !src.some(
          (one) => one.path === path && comments(one.text).join(' ').toLowerCase().includes(word),
        ),
    )
    expect(idle).toEqual([])
  })
})
