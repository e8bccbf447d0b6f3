/** How the functions that orval makes send their requests: where to, and with which key. */

let server = { url: '', key: '' }

export function use(given: { readonly url: string; readonly key: string }): void {
  server = given
}

export async function send<T>(path: string, init: RequestInit): Promise<T> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${server.key}`)
  const response = await fetch(`${server.url}${path}`, { ...init, headers })
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  const data = isJson ? await response.json() : await response.text()
  return { data, status: response.status, headers: response.headers } as T
}
