/**
 * Builds a response with third-party bytes. Browsers must not guess the type, run the content, or
 * show it as a page of this deployment.
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

/**
 * Formats the file name by RFC 6266 and RFC 8187: one form for old clients, and one for all
 * characters.
 */
function filename(name: string): string {
  const plain = name.replace(/[^\w. -]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escape)}`
}
