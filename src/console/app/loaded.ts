/**
 * Parts of the program that are loaded when they are needed. While no server answers they are tried
 * again: a page that reloads itself instead would become the browser's own page of errors.
 */

import { type ComponentType, lazy } from 'react'

const AGAIN_MS = 1_500

/** Fails when the server answers and has no such part any more: a release has replaced it. */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch {
      // Between the two it may have come back.
      if (await isReached()) return load()
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
}

const isReached = (): Promise<boolean> =>
  fetch(`${import.meta.env.BASE_URL}icon.svg`, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/** `lazy` of React, which keeps a failure for ever. */
export const lazily = <P>(load: () => Promise<{ readonly default: ComponentType<P> }>) =>
  lazy(() => loaded(load))
