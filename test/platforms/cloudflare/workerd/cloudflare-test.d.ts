/** What the tests' runtime lets them do with objects, as far as they do it. */
declare module 'cloudflare:test' {
  type State = import('../../../../src/hosts/cloudflare/bindings/bindings.ts').ObjectState & {
    abort(reason: string): void
  }
  export function runInDurableObject<R>(
    stub: unknown,
    act: (object: unknown, state: State) => R | Promise<R>,
  ): Promise<R>
  /** True when one was set; it is called at once. */
  export function runDurableObjectAlarm(stub: unknown): Promise<boolean>
}
