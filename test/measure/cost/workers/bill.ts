/**
 * What the Worker of `npm run bench -- cost` counts: shared by all objects and requests, because one isolate
 * holds them all on this machine. Times are milliseconds of the wall.
 */

/** Operations of one place: an object by its name, the database, a folder of the bucket. */
export type Place = Record<string, number>

export interface Counted {
  /**
   * By the name of the place: `object default/tenant`, `lane main/0`, `d1`, `d1 api keys`,
   * `r2 default/blobs`.
   */
  readonly places: Record<string, Place>
  /** Objects at work. */
  readonly active: number
  /** The earliest alarm that is set, ms since 1970 by the Worker's clock; null: none. */
  readonly alarm: number | null
  /** Bytes of all databases of objects, of D1, and of the bodies in the bucket. */
  readonly bytes: { readonly objects: number; readonly d1: number; readonly r2: number }
  /** Rows of D1 that a sweep will remove. */
  readonly expiring: number
  /** Objects whose database is not empty. */
  readonly databases: number
}
