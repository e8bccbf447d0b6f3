/**
 * The strings of the corpus in all places where text from outside is shown. Each place is opened,
 * must show at least one of them, and must be nothing but text.
 */

import type { Page } from 'playwright-core'
import { openPage, type Watched } from './browser.ts'
import type { Check, Given } from './checks.ts'
import { holds, signedIn, unharmed } from './checks.ts'
import { CALL, CORPUS } from './corpus.ts'
import { fill, PLACES } from './places.ts'

interface Seen {
  /** A string of the corpus can be read. */
  readonly isShown: boolean
  /** Sentences about what the page made of it, and should not have. */
  readonly wrong: readonly string[]
}

/** In the page, and in the shadow roots of its editors. */
const seenOn = (page: Page): Promise<Seen> =>
  page.evaluate((mark) => {
    const roots: ParentNode[] = [document.getElementById('root')!]
    const all: Element[] = []
    for (const root of roots) {
      for (const one of root.querySelectorAll('*')) {
        all.push(one)
        if (one.shadowRoot) roots.push(one.shadowRoot)
      }
    }
    const made = /^(?:SCRIPT|IFRAME|OBJECT|EMBED|VIDEO|AUDIO|BASE|META|LINK|MARQUEE|MATH)$/
    const elsewhere = (one: Element): boolean =>
      one instanceof HTMLImageElement && new URL(one.src).origin !== location.origin
    const runs = (one: Element): boolean =>
      one instanceof HTMLAnchorElement &&
      one.hasAttribute('href') &&
      !/^(?:https?:|mailto:)/.test(one.href)
    const handled = (one: Element): boolean =>
      one.getAttributeNames().some((name) => /^on|^(?:srcdoc|formaction)$/.test(name))
    const wrong = all.flatMap((one) => {
      const isMade = made.test(one.tagName) || elsewhere(one) || runs(one) || handled(one)
      return isMade ? [one.outerHTML.slice(0, 160)] : []
    })
    // Styles stand in the shadow roots of editors, made by the page itself.
    const styles = document.querySelectorAll('#root style').length
    if (styles > 0) wrong.push(`${styles} styles`)
    if ((globalThis as { __broken?: number }).__broken) wrong.push('a string has run')
    const texts = [...all, document.body].map((one) =>
      one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement
        ? one.value
        : [...one.childNodes].map((node) => (node instanceof Text ? node.data : '')).join(''),
    )
    return { isShown: texts.some((text) => text.includes(mark)), wrong }
  }, MARK)

/** Stands in nearly all of them; escaped in a body it reads the same. */
const MARK = CALL
const SHOWN_MS = 15_000

async function looked(page: Page, name: string): Promise<void> {
  const deadline = Date.now() + SHOWN_MS
  let seen = await seenOn(page)
  while (!seen.isShown && Date.now() < deadline) {
    await page.waitForTimeout(100)
    seen = await seenOn(page)
  }
  holds(seen.isShown, `${name}: none of the strings is shown`)
  // Whatever loads late, or begins to run.
  await page.waitForTimeout(250)
  const { wrong } = await seenOn(page)
  holds(wrong.length === 0, `${name}: ${wrong.join('; ')}`)
}

export const injection: Check = async (given: Given) => {
  holds(CORPUS.length >= 60, `${CORPUS.length} strings`)
  const filled = await fill(given.host)
  const watched: Watched[] = [await signedIn(given, {}, '/console/settings/browser')]
  try {
    for (const { name, path, open, apart } of PLACES) {
      const visitor = apart ? await openPage(given.browser, given.host.url) : watched[0]!
      if (apart) watched.push(visitor)
      const { page } = visitor
      // A fragment alone would load nothing anew.
      await page.goto('about:blank')
      await page.goto(`${given.host.url}/console/${path(filled)}`)
      await page.locator('h1').first().waitFor()
      await open?.(page, filled)
      await looked(page, name)
    }
    console.log(`        ${CORPUS.length} strings in ${PLACES.length} places`)
    for (const one of watched) unharmed(one)
  } finally {
    await filled.clear()
  }
}
