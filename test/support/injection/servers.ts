/** What others run: web pages, a search engine, tool servers, a receiver of webhooks, a sink. */

import type { ServerResponse } from 'node:http'
import { type CannedServer, startCannedServer } from '../canned-server.ts'

interface Reached {
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}
export interface Others {
  readonly pages: CannedServer
  readonly sink: CannedServer
  readonly tools: CannedServer
  readonly receiver: CannedServer
  /** Calls of tools that reached their servers. */
  readonly reached: readonly Reached[]
  close(): Promise<void>
}

const ID = /q\d{3}z/

/** `orders`: what each attack says, by its id. */
export async function startOthers(orders: ReadonlyMap<string, string>): Promise<Others> {
  const reached: Reached[] = []
  const said = (text: string): string => orders.get(ID.exec(text)?.[0] ?? '') ?? 'nothing'
  const pages = await startCannedServer(({ url }, response) => page(url, said(url), response))
  const sink = await startCannedServer((_, response) => void response.end('thank you'))
  const receiver = await startCannedServer(({ body }, response) => {
    response.writeHead(410, { 'content-type': 'text/plain' }).end(said(body))
  })
  const tools = await startCannedServer(({ method, url, body }, response) => {
    if (method !== 'POST') return void response.writeHead(405).end()
    const { pathname, searchParams } = new URL(url, 'http://x')
    const message = JSON.parse(body) as Message
    if (message.id === undefined) return void response.writeHead(202).end()
    const server = pathname.slice(1)
    const { name = '', arguments: given = {} } = message.params ?? {}
    if (message.method === 'tools/call') reached.push({ server, tool: name, arguments: given })
    const order = said(JSON.stringify(message.params ?? {}))
    const answer =
      message.method === 'tools/call'
        ? toolAnswer(name, order)
        : { result: greeting(server, message.method, searchParams, said(url)) }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }))
  })
  const all = [pages, sink, tools, receiver]
  const close = async () => void (await Promise.all(all.map((one) => one.close())))
  return { pages, sink, tools, receiver, reached, close }
}

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> }
}

function page(url: string, order: string, response: ServerResponse): void {
  const html = (status: number, title: string, body: string): void => {
    response.writeHead(status, { 'content-type': 'text/html' })
    response.end(`<html><head><title>${title}</title></head><body><p>${body}</p></body></html>`)
  }
  if (url.startsWith('/robots.txt')) return void response.writeHead(404).end()
  if (url.startsWith('/search')) {
    const results = [{ title: 'News', url: 'https://news.example/', content: order }]
    response.writeHead(200, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify({ results }))
  }
  if (url.startsWith('/plain')) return html(200, 'Plain', 'Nothing to obey.')
  if (url.startsWith('/title')) return html(200, order, 'See the title.')
  if (url.startsWith('/error')) return html(500, 'Broken', order)
  if (url.startsWith('/link')) return html(200, 'Links', `<a href="/${order}">more</a>`)
  html(200, 'Page', order)
}

function toolAnswer(tool: string, order: string): object {
  const text = (words: string) => [{ type: 'text', text: words }]
  if (tool === 'crash') return { error: { code: -32_000, message: order } }
  if (tool === 'fail') return { result: { content: text(order), isError: true } }
  if (tool === 'data') return { result: { content: [], structuredContent: { order } } }
  const resource = { uri: `file:///${order}`, mimeType: 'text/plain', text: 'x' }
  if (tool === 'resource') return { result: { content: [{ type: 'resource', resource }] } }
  return { result: { content: text(order) } }
}

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  shop: ['read', 'fail', 'crash', 'data', 'resource', 'order', 'drop'],
  bank: ['pay'],
}

/** The order stands in the part of its answers that the URL names. */
function greeting(server: string, method: string, asked: URLSearchParams, order: string): object {
  const part = asked.get('part')
  if (method === 'initialize')
    return {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: part === 'name' ? order : server, version: '1' },
      ...(part === 'instructions' ? { instructions: order } : {}),
    }
  if (method !== 'tools/list') return {}
  const description = part === 'schema' ? order : 'Which one'
  const id = { type: 'string', description }
  const inputSchema = {
    ...{ type: 'object', properties: { id }, required: ['id'] },
    additionalProperties: false,
  }
  const tools = (TOOLS[server] ?? []).map((name) => ({
    ...{ name, inputSchema, description: part === 'description' ? order : `Does ${name}.` },
    annotations: { readOnlyHint: name === 'read' },
  }))
  return { tools }
}
