/** Paths of files: the tree that they make, the layer of each, and what a file belongs to. */

export interface Entry {
  readonly path: string
  readonly etag: string
  readonly size: number
}

export interface Row {
  readonly path: string
  readonly name: string
  readonly depth: number
  /** Of a folder. */
  readonly open?: boolean
  /** Of a file. */
  readonly entry?: Entry
}

export interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: Entry[]
}

const empty = (): Folder => ({ folders: new Map(), files: [] })

export function treeOf(entries: readonly Entry[]): Folder {
  const root = empty()
  for (const entry of entries) {
    const parts = entry.path.split('/')
    let at = root
    for (const part of parts.slice(0, -1)) {
      let next = at.folders.get(part)
      if (!next) at.folders.set(part, (next = empty()))
      at = next
    }
    at.files.push(entry)
  }
  return root
}

/** The rows of the tree: folders first, and below open ones their files. */
export function rowsOf(root: Folder, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = []
  const walk = (folder: Folder, above: string, depth: number): void => {
    for (const name of [...folder.folders.keys()].sort()) {
      const path = `${above}${name}`
      const isOpen = open.has(path)
      rows.push({ path, name, depth, open: isOpen })
      if (isOpen) walk(folder.folders.get(name)!, `${path}/`, depth + 1)
    }
    for (const entry of folder.files.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
      rows.push({ path: entry.path, name: entry.path.slice(above.length), depth, entry })
  }
  walk(root, '', 0)
  return rows
}

/** The folders above a path. */
export function above(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

const LAYER = /^(base|roles\/[^/]+|repos\/[^/]+)\//

/** The prefix of the layer that a file lies in. */
export function layerOf(path: string): string | undefined {
  const [, name] = LAYER.exec(path) ?? []
  return name && `${name}/`
}

/** The input of `POST /v1/resolve` for the runs that read this layer. */
export function runOf(layer: string): { readonly role?: string; readonly repo_dir?: string } {
  const [kind, name] = layer.split('/')
  if (kind === 'roles' && name) return { role: name }
  if (kind === 'repos' && name) return { repo_dir: `repos/${name}` }
  return {}
}

/** The layers that these files make. */
export function layersIn(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ path }) => layerOf(path) ?? []))].sort()
}

export type ResourceKind = 'skill' | 'agent' | 'server' | 'file'

export interface Resource {
  readonly kind: ResourceKind
  readonly name: string
  readonly layer: string
}

const SKILL = /(?:^|\/)skills\/([^/]+)\//
const AGENT = /(?:^|\/)agents\/([^/]+)\.md$/i

/** The skill or agent whose versions a file belongs to. */
export function resourceOf(path: string): Resource | undefined {
  const layer = layerOf(path)
  if (layer === undefined) return undefined
  const below = path.slice(layer.length)
  const [, skill] = SKILL.exec(below) ?? []
  if (skill) return { kind: 'skill', name: skill, layer }
  const [, agent] = AGENT.exec(below) ?? []
  return agent ? { kind: 'agent', name: agent, layer } : undefined
}

export type Language = 'markdown' | 'json' | 'yaml' | 'toml' | 'text'

export function languageOfPath(path: string): Language {
  const [, ending = ''] = /\.([a-z]+)$/i.exec(path) ?? []
  const known: Readonly<Record<string, Language>> = {
    ...{ md: 'markdown', markdown: 'markdown', json: 'json', yaml: 'yaml', yml: 'yaml' },
    toml: 'toml',
  }
  return known[ending.toLowerCase()] ?? 'text'
}

/** The text of a new file. */
export function beginningOf(path: string): string {
  const resource = resourceOf(path)
  if (!resource || !/\.md$/i.test(path)) return ''
  if (resource.kind === 'skill' && !/\/SKILL\.md$/.test(path)) return ''
  return `---\nname: ${resource.name}\ndescription: \n---\n\n`
}

/** Bytes as people write them. */
export function bytesOf(size: number): string {
  if (size < 1_024) return `${size} B`
  if (size < 1_048_576) return `${(size / 1_024).toFixed(1)} KiB`
  return `${(size / 1_048_576).toFixed(1)} MiB`
}
