/** What a test has opened and must close, the last first; `setup.ts` does so after each test. */

export const cleanup: (() => Promise<unknown>)[] = []
