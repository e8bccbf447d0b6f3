/** Types of the `cloudflare:workers` runtime module that this program uses. */
declare module 'cloudflare:workers' {
  export abstract class DurableObject<Env = unknown> {
    protected readonly ctx: import('./bindings.ts').ObjectState
    protected readonly env: Env
    constructor(ctx: import('./bindings.ts').ObjectState, env: Env)
  }
  export abstract class WorkerEntrypoint<Env = unknown> {
    protected readonly env: Env
    protected readonly ctx: unknown
    fetch?(request: Request): Response | Promise<Response>
  }
  export const env: Readonly<Record<string, unknown>>
}
