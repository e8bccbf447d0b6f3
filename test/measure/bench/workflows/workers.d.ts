declare module 'cloudflare:workers' {
  export class WorkflowEntrypoint<Env> {
    readonly env: Env
  }
}
