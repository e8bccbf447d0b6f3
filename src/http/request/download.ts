/**
 * A response with third-party bytes: browsers do not guess their type, run them, or show them as
 * one of our pages.
 */

export const download = (data: Uint8Array, type: string, name?: string): Response =>
  new Response(Buffer.from(data), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment${name === undefined ? '' : `; ${filename(name)}`}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })

/** RFC 6266 with RFC 8187: one form for old clients, one for all characters. */
function filename(name: string): string {
  const plain = name.replace(/[^\w. -]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escape)}`
}
