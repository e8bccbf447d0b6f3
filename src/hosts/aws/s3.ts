/**
 * Objects in S3, or in a compatible server that supports conditional writes. Conditions are sent
 * with the put (`If-Match`, `If-None-Match`). A delete first reads the object, because not every
 * server supports conditions on deletes.
 */

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { sameBytes } from '../../lib/bytes.ts'
import type { Expect, Objects, StoredObject } from '../../ports/world.ts'
import { NO_BUCKET, wasRepeated } from './failure.ts'

const PAGE = 1_000
const TRIES = 8
const PAUSE_MS = 20

export function s3Objects(client: S3Client, Bucket: string): Objects {
  const get = (key: string): Promise<StoredObject | null> =>
    orNull(async () => {
      const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key: key }))
      return { body: await Body!.transformToByteArray(), etag: bare(ETag) }
    })
  const etagOf = (key: string): Promise<string | null> =>
    orNull(async () => bare((await client.send(new HeadObjectCommand({ Bucket, Key: key }))).ETag))
  return {
    get,
    put: (key, body, expect) => put({ client, Bucket, get }, key, body, expect),
    async delete(key, expect) {
      if (expect !== 'any') {
        const etag = await etagOf(key)
        if (expect === 'absent') return etag === null ? 'ok' : 'conflict'
        if (etag !== expect.etag) return 'conflict'
      }
      const condition = typeof expect === 'object' ? { IfMatch: expect.etag } : {}
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key: key, ...condition }))
        return 'ok'
      } catch (error) {
        if (isRefusal(error)) return 'conflict'
        throw error
      }
    },
    async list(prefix, cursor) {
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket,
          Prefix: prefix,
          MaxKeys: PAGE,
          ...(cursor === undefined ? {} : { StartAfter: cursor }),
        }),
      )
      const objects = (page.Contents ?? []).map(({ Key = '', ETag, Size = 0, LastModified }) => {
        const modified = LastModified?.getTime() ?? Date.now()
        return { key: Key, etag: bare(ETag), size: Size, modified }
      })
      // The cursor is the last key, not a server token, so that a concurrent deletion hides no
      // other object.
      return page.IsTruncated ? { objects, cursor: objects.at(-1)!.key } : { objects }
    },
  }
}

interface Bucket {
  readonly client: S3Client
  readonly Bucket: string
  readonly get: (key: string) => Promise<StoredObject | null>
}

async function put(
  { client, Bucket, get }: Bucket,
  Key: string,
  Body: Uint8Array,
  expect: Expect,
): Promise<{ etag: string } | 'conflict'> {
  const condition = conditionOf(expect)
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key, Body, ...condition }))
      return { etag: bare(ETag) }
    } catch (error) {
      const isRefused = isRefusal(error) && statusOf(error) !== 409
      if (isRefused && !wasRepeated(error)) return 'conflict'
      if (expect === 'any' || isOurs(error)) throw error
      // The outcome of the put is unknown (a repeated request, concurrent writers, a server
      // failure), so one read resolves it.
      const stored = await get(Key)
      if (stored && sameBytes(stored.body, Body)) return { etag: stored.etag }
      if (isRefused || !isAsExpected(stored, expect)) return 'conflict'
      if (attempt === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (attempt + Math.random())))
    }
  }
}

const isAsExpected = (stored: StoredObject | null, expect: Exclude<Expect, 'any'>): boolean =>
  expect === 'absent' ? stored === null : stored?.etag === expect.etag

const conditionOf = (expect: Expect) => {
  if (expect === 'any') return {}
  return expect === 'absent' ? { IfNoneMatch: '*' } : { IfMatch: expect.etag }
}

/**
 * Removes the quotes of an ETag: S3 returns quoted ETags and accepts unquoted ones, but some
 * servers accept only unquoted ETags.
 */
const bare = (etag: string | undefined): string => (etag ?? '').replace(/^"(.*)"$/, '$1')

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

/**
 * Reports whether the write was rejected. 412: the condition failed. 404: an expected object is
 * missing. 409: concurrent writers conflicted, and neither write was evaluated.
 */
const isRefusal = (error: unknown): boolean =>
  [404, 409, 412].includes(statusOf(error) ?? 0) && !isNoBucket(error)

const isNoBucket = (error: unknown): boolean => (error as { name?: string }).name === NO_BUCKET

/**
 * Reports whether a request can never succeed, for example because the bucket belongs to another
 * account or the key is too long.
 */
const isOurs = (error: unknown): boolean => {
  const status = statusOf(error) ?? 500
  return status >= 400 && status < 500 && !isRefusal(error)
}

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (statusOf(error) === 404 && !isNoBucket(error)) return null
    throw error
  }
}
