/**
 * Converts web pages and PDF files to Markdown, identically on all platforms. The code is stateless
 * and has no external access. It runs in a separate process or Worker, so a decompression bomb
 * affects nothing else. Parsers are loaded on first use.
 */

import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { DocumentRequest, DocumentText } from '../../ports/documents.ts'
import { decoded } from './charset.ts'

/** Maximum number of pages read from a PDF file. */
const PDF_PAGES = 300
/** Maximum length of the converted Markdown, in characters. */
const MARKDOWN = 2_000_000
const LINKS = 200
const HTML = '<!doctype html><html><body>'
/** HTML elements without readable content; some contain megabytes. */
const MUTE = 'script, style, noscript, template, svg, iframe, canvas, object, embed, link, meta'

export async function readDocument(
  request: DocumentRequest,
): Promise<Outcome<DocumentText, string>> {
  const kind = formOf(request)
  try {
    if (kind === 'pdf') return ok(shorten(await readPdf(request.bytes)))
    if (kind === 'html') return ok(shorten(await readHtml(request)))
    if (kind === 'json') return ok(shorten(readJson(request)))
    if (kind === 'text') return ok(shorten({ ...PLAIN, markdown: decoded(request).text }))
    return fail(`a document of type ${request.type || 'unknown'} cannot be read as text`)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException') return fail('the PDF file is password-protected')
    return fail(`the document is corrupt; no ${kind === 'pdf' ? 'PDF file' : kind} could be read`)
  }
}

const PLAIN = { title: null, published: null, links: [], pages: null, notes: [] } as const

type Form = 'html' | 'pdf' | 'json' | 'text' | undefined

/** Detects the document format from the first bytes if possible, otherwise from the media type. */
function formOf({ bytes, type }: DocumentRequest): Form {
  const media = type.split(';')[0]!.trim().toLowerCase()
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  if (start.startsWith('%PDF-') || media === 'application/pdf') return 'pdf'
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(media)) return 'html'
  if (/^application\/(?:[\w.-]+\+)?json$|^text\/json$/.test(media)) return 'json'
  if (/^text\/|^application\/(?:[\w.-]+\+)?(?:xml|yaml|x-yaml|toml|javascript)$/.test(media))
    return 'text'
  if (media !== '' && media !== 'application/octet-stream') return undefined
  if (/^\s*<(?:!doctype html|html|head|body)\b/i.test(start)) return 'html'
  return start.includes('\0') ? undefined : 'text'
}

function shorten(document: DocumentText): DocumentText {
  const { markdown, notes } = document
  if (markdown.length <= MARKDOWN) return document
  const note = `Only the first ${MARKDOWN} of ${markdown.length} characters are included.`
  return { ...document, markdown: markdown.slice(0, MARKDOWN), notes: [...notes, note] }
}

function readJson(request: DocumentRequest): DocumentText {
  const { text } = decoded(request)
  try {
    return { ...PLAIN, markdown: JSON.stringify(JSON.parse(text), null, 2) }
  } catch {
    return { ...PLAIN, markdown: text, notes: ['It is declared as JSON but is not valid JSON.'] }
  }
}

async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  const { getDocumentProxy } = await import('unpdf')
  // The PDF library rejects a Node Buffer.
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const texts: string[] = []
  const count = Math.min(pdf.numPages, PDF_PAGES)
  for (let number = 1; number <= count; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    texts.push(text.join('').trim())
    page.cleanup()
  }
  const { info } = (await pdf.getMetadata()) as {
    info: { Title?: unknown; CreationDate?: unknown }
  }
  const notes = pdf.numPages > count ? [`Only ${count} of ${pdf.numPages} pages were read.`] : []
  if (texts.every((text) => text === ''))
    notes.push('It contains no text; its pages may be images.')
  return {
    title: typeof info.Title === 'string' && info.Title.trim() !== '' ? info.Title.trim() : null,
    published: pdfDate(info.CreationDate),
    markdown: texts.map((text, index) => `[page ${index + 1}]\n\n${text}`).join('\n\n'),
    links: [],
    pages: pdf.numPages,
    notes,
  }
}

/** `D:20240131…` (ISO 32000-1, 7.9.4). */
function pdfDate(value: unknown): string | null {
  const [, year, month = '01', day = '01'] =
    /^D:(\d{4})(\d{2})?(\d{2})?/.exec(typeof value === 'string' ? value : '') ?? []
  return year === undefined ? null : `${year}-${month}-${day}`
}

async function readHtml(request: DocumentRequest): Promise<DocumentText> {
  const [{ parseHTML }, { Readability }, markdownOf] = await Promise.all([
    import('linkedom/worker'),
    import('@mozilla/readability'),
    converter(),
  ])
  const { text, notes } = decoded(request)
  // Adds missing html and body tags, because the parser would otherwise treat the first element as
  // the whole document.
  const { document } = parseHTML(/<body[\s>]/i.test(text) ? text : `${HTML}${text}</body></html>`)
  const meta = (names: readonly string[]): string | null => {
    for (const name of names) {
      const element = document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)
      const content = element?.getAttribute('content')?.trim()
      if (content) return content
    }
    return null
  }
  const title = meta(['og:title']) ?? document.querySelector('title')?.textContent?.trim() ?? null
  const published =
    meta(['article:published_time', 'datePublished', 'date', 'dc.date', 'article:modified_time']) ??
    document.querySelector('time[datetime]')?.getAttribute('datetime') ??
    null
  for (const mute of document.querySelectorAll(MUTE)) mute.remove()
  const base = baseOf(document.querySelector('base')?.getAttribute('href'), request.url)
  const links = absolute(document, base)
  // The body is cloned first, because the extraction modifies the document.
  const fullBody = document.body?.cloneNode(true) ?? document.documentElement
  const article = new Readability(document as never, { charThreshold: 200 }).parse()
  const articleBody = article?.content
    ? parseHTML(`${HTML}${article.content}</body></html>`).document.body
    : null
  const markdown = markdownOf(articleBody ?? fullBody)
  return {
    title: title || article?.title || null,
    published: published ?? article?.publishedTime ?? null,
    markdown,
    links,
    pages: null,
    notes: articleBody ? notes : [...notes, 'No article was found, so this is the full page.'],
  }
}

async function converter(): Promise<(node: unknown) => string> {
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  turndown.addRule('table', {
    filter: 'table',
    replacement: (content, node) => tableOf(node as unknown as Part) ?? content,
  })
  return (node) => turndown.turndown(node as never)
}

/** Flattens a layout table with a single row or column into a sequence of cells. */
function tableOf(table: Part): string | undefined {
  const cell = (part: Part): string =>
    (part.textContent ?? '').replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map(cell),
  )
  const columns = Math.max(0, ...rows.map((row) => row.length))
  if (rows.length < 2 || columns < 2) return undefined
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const rule = line(Array.from({ length: columns }, () => '---'))
  return `\n\n${[line(rows[0]!), rule, ...rows.slice(1).map(line)].join('\n')}\n\n`
}

function baseOf(href: string | null | undefined, url: string | undefined): string | undefined {
  if (!href) return url
  return URL.canParse(href, url) ? new URL(href, url).href : url
}

/** Subset of the DOM that this file uses. */
interface Page {
  querySelectorAll(selector: string): Iterable<Part>
  createTextNode(text: string): unknown
}
interface Part {
  querySelectorAll(selector: string): Iterable<Part>
  readonly textContent: string | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  remove(): void
  replaceWith(node: never): void
}

/** Makes all URLs in the page absolute and returns the page's links. */
function absolute(document: Page, base: string | undefined): DocumentText['links'] {
  const links = new Map<string, string>()
  for (const anchor of document.querySelectorAll('a[href]')) {
    const href = anchor.getAttribute('href') ?? ''
    if (href.startsWith('#') || !URL.canParse(href, base)) continue
    const { href: url, protocol } = new URL(href, base)
    if (!/^https?:$/.test(protocol)) {
      anchor.removeAttribute('href')
      continue
    }
    anchor.setAttribute('href', url)
    const text = (anchor.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (text !== '' && !links.has(url) && links.size < LINKS) links.set(url, text.slice(0, 200))
  }
  for (const image of document.querySelectorAll('img')) {
    const alt = image.getAttribute('alt')?.trim()
    // Replaces an image with its alternative text.
    if (alt) image.replaceWith(document.createTextNode(`(picture: ${alt.slice(0, 300)})`) as never)
    else image.remove()
  }
  return [...links].map(([url, text]) => ({ text, url }))
}
