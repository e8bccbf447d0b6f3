/** Paged list: awaiting it returns the first page, iterating yields every item of every page. */

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor?: string | null
  readonly has_more?: boolean
}

export interface Pages<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {}

export function pagesOf<T>(read: (cursor?: string) => Promise<Page<T>>): Pages<T> {
  return {
    then: (onFulfilled, failed) => read().then(onFulfilled, failed),
    async *[Symbol.asyncIterator]() {
      for (let cursor: string | undefined; ; ) {
        const page = await read(cursor)
        yield* page.data
        if (!page.next_cursor) return
        cursor = page.next_cursor
      }
    },
  }
}
