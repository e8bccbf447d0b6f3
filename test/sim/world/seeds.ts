/** Which seeds are homes of objects: the number alone says it, so that a seed is one world for ever. */

/** From here on; which world any other seed is does not depend on these. */
export const OBJECTS = 1_000_000_000_000

/** The seeds of a batch: every fourth is a home of objects. */
export const dealt = (seed: number): number =>
  seed < OBJECTS && seed % 4 === 2 ? OBJECTS + seed : seed
