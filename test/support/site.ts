/** A small site on loopback: pages as `web_fetch` meets them, and a SearXNG. */

import { type CannedServer, startCannedServer } from './canned-server.ts'

const ARTICLE = `<!doctype html><html><head><title>Otters &amp; rivers</title>
<meta property="article:published_time" content="2026-03-04"><script>var tracking = 1</script></head>
<body><nav><a href="/about">About us</a></nav><article><h1>Otters</h1>
<p>${'An otter sleeps on its back and holds a paw of its neighbour. '.repeat(20)}</p>
<p>Read <a href="more?page=2">more about paws</a>.</p>
<table><tr><th>river</th><th>otters</th></tr><tr><td>Isar</td><td>7</td></tr></table>
</article></body></html>`

/** One page with one line, as small as the format allows (ISO 32000-1). */
export function pdfOf(line: string, filter = '', encode = (text: string) => text): string {
  const stream = encode(`BT /F1 24 Tf 50 200 Td (${line}) Tj ET`)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< ${filter}/Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>`
  return `${text}${table}${trailer}\nstartxref\n${text.length}\n%%EOF`
}

export const PDF = Buffer.from(pdfOf('Paws of otters'))

const SEARCH = {
  results: [
    { title: 'Otters', url: 'https://otters.example/paws', content: 'They hold paws.' },
    { title: 'Elsewhere', url: 'https://denied.example/x', content: 'Not to be seen.' },
  ],
}

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

const html = { 'content-type': 'text/html; charset=utf-8' }
const REPLIES: Readonly<Record<string, Reply>> = {
  '/robots.txt': { body: 'User-agent: *\nDisallow: /private/\n' },
  '/otters/': { headers: html, body: ARTICLE },
  '/moved': { status: 302, headers: { location: '/otters/' } },
  '/inside': { status: 302, headers: { location: 'https://10.0.0.1/latest/meta-data' } },
  '/round': { status: 302, headers: { location: '/round' } },
  '/private/diary': { headers: html, body: '<p>nobody shall read this</p>' },
  '/paper.pdf': { headers: { 'content-type': 'application/pdf' }, body: PDF },
  '/umlaut': {
    headers: { 'content-type': 'text/html' },
    body: Buffer.from('<meta charset="iso-8859-1"><p>Größe der Pfote</p>', 'latin1'),
  },
  '/data.json': { headers: { 'content-type': 'application/json' }, body: '{"otters":7}' },
  '/big': { headers: html, body: 'x'.repeat(11_000_000) },
  '/picture': { headers: { 'content-type': 'image/png' }, body: 'no picture' },
  '/gone': { status: 410, body: 'gone' },
}

export const startSite = (): Promise<CannedServer> =>
  startCannedServer(({ url }, response) => {
    if (url.startsWith('/search?')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(SEARCH))
      return
    }
    const { status = 200, headers = {}, body = '' } = REPLIES[url] ?? { status: 404 }
    response.writeHead(status, headers)
    response.end(body)
  })
