/** The module of the runtime that hands out bindings. */
declare module 'cloudflare:workers' {
  export const env: Readonly<Record<string, unknown>>
}
