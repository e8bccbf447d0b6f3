/**
 * Methods derived from API paths. `get(http, '/v1/runs/{id}')` creates a method that accepts a
 * string per path parameter, the query, and options. The method returns the type defined in
 * openapi.yaml.
 */

import type { paths } from './contract.ts'
import type { CallOptions, Http } from './http.ts'
import { type Pages, pagesOf } from './pages.ts'

type Change = 'post' | 'put' | 'patch' | 'delete'
type Method = 'get' | Change
/** Paths that have an operation for the HTTP method `M`. */
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never
}[keyof paths]
type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends { [K in M]: infer O }
  ? O
  : never

/** Tuple with one string for each `{place}` in a path. */
type Places<P> = P extends `${string}{${string}}${infer Rest}`
  ? [place: string, ...Places<Rest>]
  : []

type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never
type BodyOf<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? J
    : never
  : never
type JsonOf<R> = R extends { content: { 'application/json': infer J } } ? J : undefined
type AnswerOf<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? JsonOf<R[S]> : never }[keyof R]
  : never
type ItemOf<O> = AnswerOf<O> extends { data: readonly (infer I)[] } ? I : never

/** Type `T` in which optional members may also be undefined. */
export type WithUndefined<T> = T extends object
  ? { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T

/** Query parameters of an operation, including `metadata` filters. */
type Query<O> = WithUndefined<QueryOf<O>> & { readonly [key: `metadata.${string}`]: string }
/** Call options, with the operation's query if it has one. */
type WithQuery<O> = CallOptions & { readonly query?: Query<O> }
type WithBody<O> = O extends { requestBody: unknown }
  ? [body: WithUndefined<BodyOf<O>>, options?: WithQuery<O>]
  : [body?: WithUndefined<BodyOf<O>>, options?: WithQuery<O>]
type Bare<O> = [options?: WithQuery<O>]

/**
 * Fills the parameters of a path. Throws a `TypeError` if one is missing, or has a segment `.` or
 * `..`, which URLs resolve even if it is encoded: the request would go to another operation.
 */
export function fillPath(path: string, places: readonly string[]): string {
  let at = 0
  return path.replace(/\{[^}]*\}/g, () => {
    const place = places[at++]
    if (place === undefined || place === '')
      throw new TypeError(`a path parameter of ${path} is missing`)
    if (place.split('/').some((segment) => segment === '.' || segment === '..'))
      throw new TypeError(`a path parameter of ${path} has a segment . or ..`)
    // Slashes in file paths are not encoded.
    return path.endsWith('{path}')
      ? place.split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(place)
  })
}

const placesIn = (path: string): number => path.split('{').length - 1

async function jsonOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  return response.json()
}

/** Returns a method that reads a single resource. */
export const get =
  <P extends PathOf<'get'>>(http: Http, path: P) =>
  async (
    ...args: [...Places<P>, query?: Query<Operation<'get', P>>, options?: CallOptions]
  ): Promise<AnswerOf<Operation<'get', P>>> => {
    const count = placesIn(path)
    const [query, options] = args.slice(count) as [object?, CallOptions?]
    const places = args.slice(0, count) as string[]
    const request = { ...options, method: 'GET', path: fillPath(path, places), query }
    return http(request).then(jsonOf) as Promise<AnswerOf<Operation<'get', P>>>
  }

/**
 * Returns a method that reads a list: awaiting it returns the first page, iterating yields all
 * items of all pages.
 */
export const list =
  <P extends PathOf<'get'>>(http: Http, path: P) =>
  (
    ...args: [...Places<P>, query?: Query<Operation<'get', P>>, options?: CallOptions]
  ): Pages<ItemOf<Operation<'get', P>>> => {
    const count = placesIn(path)
    const [query, options] = args.slice(count) as [object?, CallOptions?]
    const filledPath = fillPath(path, args.slice(0, count) as string[])
    return pagesOf((cursor) => {
      const pageQuery = cursor === undefined ? query : { ...query, cursor }
      return http({ ...options, method: 'GET', path: filledPath, query: pageQuery }).then(
        jsonOf,
      ) as never
    })
  }

async function changed(
  http: Http,
  path: string,
  args: readonly unknown[],
  requestInit: object,
  bare: boolean,
) {
  const count = placesIn(path)
  const trailing = args.slice(count)
  const [body, options] = (bare ? [undefined, trailing[0]] : trailing) as [
    unknown,
    WithQuery<object>?,
  ]
  const { query, ...call } = options ?? {}
  const places = args.slice(0, count) as string[]
  const request = { ...call, ...requestInit, path: fillPath(path, places), query, body }
  return http(request as Parameters<Http>[0]).then(jsonOf)
}

/** Returns a factory of methods that change a resource and send a request body. */
const withBody =
  <M extends Change>(method: M, isKeyed = false) =>
  <P extends PathOf<M>>(http: Http, path: P) =>
  (...args: [...Places<P>, ...WithBody<Operation<M, P>>]): Promise<AnswerOf<Operation<M, P>>> =>
    changed(
      http,
      path,
      args,
      { method: method.toUpperCase(), keyed: isKeyed },
      false,
    ) as Promise<never>

/** Returns a factory of methods that change a resource without a request body. */
const bare =
  <M extends Change>(method: M, isKeyed = false) =>
  <P extends PathOf<M>>(
    http: Http,
    path: Operation<M, P> extends { requestBody?: never } ? P : never,
  ) =>
  (...args: [...Places<P>, ...Bare<Operation<M, P>>]): Promise<AnswerOf<Operation<M, P>>> =>
    changed(
      http,
      path,
      args,
      { method: method.toUpperCase(), keyed: isKeyed },
      true,
    ) as Promise<never>

/** Returns a method that creates a resource and sends an idempotency key. */
export const create = withBody('post', true)
/** Returns a method for an action that is idempotent, or rejected if repeated. */
export const act = withBody('post')
export const put = withBody('put')
export const patch = withBody('patch')
export const remove = bare('delete')
/** Returns a method like `act`, without a request body. */
export const trigger = bare('post')
/** Returns a method like `create`, without a request body. */
export const triggerOnce = bare('post', true)
