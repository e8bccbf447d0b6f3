/** Methods for agents, skills, servers, files, memory, and schedules. */

import type { components } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import {
  act,
  create,
  fillPath,
  get,
  list,
  patch,
  put,
  remove,
  trigger,
  triggerOnce,
} from './methods.ts'

/** Content of a file, with its ETag. */
export interface FileContent {
  readonly bytes: Uint8Array
  /** ETag of the file, for use as `ifMatch`. */
  readonly etag: string | null
  readonly contentType: string | null
}

const FILE = '/v1/files/{path}'
const SCHEDULE = '/v1/schedules/{name}'

export function filesOf(http: Http) {
  return {
    list: list(http, '/v1/files'),
    /** Returns the file, or undefined if its ETag still matches `ifNoneMatch`. */
    async get(path: string, options: CallOptions = {}): Promise<FileContent | undefined> {
      const response = await http({ ...options, method: 'GET', path: fillPath(FILE, [path]) })
      if (response.status === 304) return undefined
      const bytes = new Uint8Array(await response.arrayBuffer())
      const { headers } = response
      return { bytes, etag: headers.get('etag'), contentType: headers.get('content-type') }
    },
    /** Writes a file and returns its new ETag. Text is written as UTF-8. */
    async put(path: string, content: string | Uint8Array, options: CallOptions = {}) {
      const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
      const request = { ...options, method: 'PUT', path: fillPath(FILE, [path]), body }
      return (await (await http(request)).json()) as {
        readonly path: string
        readonly etag: string
      }
    },
    delete: remove(http, FILE),
    versions: list(http, '/v1/file-versions'),
    version: get(http, '/v1/file-versions/{version}'),
  }
}

export const agentsOf = (http: Http) => ({
  list: list(http, '/v1/agents'),
  get: get(http, '/v1/agents/{name}'),
  put: put(http, '/v1/agents/{name}'),
  update: patch(http, '/v1/agents/{name}'),
  delete: remove(http, '/v1/agents/{name}'),
  versions: list(http, '/v1/agents/{name}/versions'),
  version: get(http, '/v1/agents/{name}/versions/{version}'),
  compare: get(http, '/v1/agents/{name}/versions/{version}/compare'),
  rollback: act(http, '/v1/agents/{name}/rollback'),
})

export const skillsOf = (http: Http) => ({
  list: list(http, '/v1/skills'),
  get: get(http, '/v1/skills/{name}'),
  put: put(http, '/v1/skills/{name}'),
  /** Enables or disables a skill. */
  update: patch(http, '/v1/skills/{name}'),
  delete: remove(http, '/v1/skills/{name}'),
  versions: list(http, '/v1/skills/{name}/versions'),
  version: get(http, '/v1/skills/{name}/versions/{version}'),
  compare: get(http, '/v1/skills/{name}/versions/{version}/compare'),
  rollback: act(http, '/v1/skills/{name}/rollback'),
})

export const serversOf = (http: Http) => ({
  list: list(http, '/v1/mcp-servers'),
  get: get(http, '/v1/mcp-servers/{name}'),
  put: put(http, '/v1/mcp-servers/{name}'),
  update: patch(http, '/v1/mcp-servers/{name}'),
  delete: remove(http, '/v1/mcp-servers/{name}'),
  versions: list(http, '/v1/mcp-servers/{name}/versions'),
  version: get(http, '/v1/mcp-servers/{name}/versions/{version}'),
  compare: get(http, '/v1/mcp-servers/{name}/versions/{version}/compare'),
  rollback: act(http, '/v1/mcp-servers/{name}/rollback'),
  /** Connects to an MCP server and lists its tools. */
  test: trigger(http, '/v1/mcp-servers/{name}/test'),
  /** Creates a link that a person opens to grant access to an MCP server (OAuth). */
  authorize: trigger(http, '/v1/mcp-servers/{name}/authorization'),
  forgetAuthorization: remove(http, '/v1/mcp-servers/{name}/authorization'),
})

export const layersOf = (http: Http) => ({
  list: list(http, '/v1/layers'),
  /** Returns the configuration that a run with this role and repository would have. */
  resolve: act(http, '/v1/resolve'),
  diff: act(http, '/v1/resolve/diff'),
  migrate: act(http, '/v1/layers/migrate'),
  /** Plans or performs an import of stored files into a layer. */
  import: act(http, '/v1/layers/import'),
  reload: act(http, '/v1/runtime/reload'),
})

export const memoryOf = (http: Http) => ({
  list: list(http, '/v1/memory'),
  search: get(http, '/v1/memory/search'),
  get: get(http, '/v1/memory/{path}'),
  put: put(http, '/v1/memory/{path}'),
  append: act(http, '/v1/memory/{path}'),
  delete: remove(http, '/v1/memory/{path}'),
  versions: list(http, '/v1/memory/versions'),
  version: get(http, '/v1/memory/versions/{version}'),
  status: get(http, '/v1/memory/status'),
  rebuild: act(http, '/v1/memory/rebuild'),
})

export const schedulesOf = (http: Http) => ({
  create: create(http, '/v1/schedules'),
  preview: act(http, '/v1/schedules/preview'),
  list: list(http, '/v1/schedules'),
  get: get(http, SCHEDULE),
  /** Returns a schedule with its ETag, for use as `ifMatch`. */
  async getWithEtag(name: string, options: CallOptions = {}) {
    const response = await http({ ...options, method: 'GET', path: fillPath(SCHEDULE, [name]) })
    const schedule = (await response.json()) as components['schemas']['Schedule']
    return { schedule, etag: response.headers.get('etag') ?? '*' }
  },
  put: put(http, SCHEDULE),
  /** Enables a schedule that a file defines. */
  putSource: put(http, '/v1/schedules/{name}/source'),
  update: patch(http, SCHEDULE),
  delete: remove(http, SCHEDULE),
  pause: act(http, '/v1/schedules/{name}/pause'),
  resume: trigger(http, '/v1/schedules/{name}/resume'),
  run: triggerOnce(http, '/v1/schedules/{name}/run'),
  runs: list(http, '/v1/schedules/{name}/runs'),
})
