/** Messages of a queue that this program never sent, about what belongs to somebody else. */

import type { Wake } from '../../src/ports/world.ts'

const HINTS = { suspect: true, facts: 1e9, mail: 'mail/run_0', priority: 1e9 }

/** Addresses that name no partition, though each is near to one of `tenant`'s. */
export function forgedPartitions(tenant: string, other: string, id: string): string[] {
  return [
    // Their run under our name, and the other way about.
    ...[`${other}/run/${id}`, `${other}/fanout/${id}`, `${other}/session/${id}`],
    ...[`${tenant}/session/${id}`, `${tenant}/fanout/${id}`, `${tenant}/delivery/${id}`],
    ...[`${tenant}/endpoint/${id}`, `${tenant}/schedule/${id}`, `${tenant}/policy/tenant`],
    // Kinds that are only read, or that there are not.
    ...[`_/key/${id}`, `_/hook/${id}`, `_/clock/head`, `${tenant}/audit/${id}`, `${tenant}/x/y`],
    ...[`${tenant}/layers/stamp`, `${tenant}/snapshot/${id}`, `${tenant}/live/${id}`],
    // Names that are none.
    ...['', '/', '//', 'run', `run/${id}`, `${tenant}/run`, `${tenant}/run/`, `/run/${id}`],
    ...[`${tenant}/run/${id}/f/0`, `${tenant}/run/${id}/head`, `${other}/../${tenant}/run/${id}`],
    ...[
      `${tenant}//run/${id}`,
      `${tenant}/run/${id}\u0000`,
      `${tenant}/run/ ${id}`,
      `%2e/run/${id}`,
    ],
    ...[`${tenant}/RUN/${id}`, `${tenant}/run/${id.toUpperCase()}`, `${tenant}\\run\\${id}`],
    ...[`${tenant}/run/\u202e${id}`, `${tenant}/constructor/${id}`, `${tenant}/__proto__/${id}`],
    ...[`${tenant}/run/${'x'.repeat(1_000)}`, `x\n{"level":"error"}/run/${id}`],
  ]
}

export const forgedWakes = (partitions: readonly string[]): Wake[] =>
  partitions.flatMap((partition) => [
    { partition, lane: 'main', started: false, staleCount: 0 },
    { partition, lane: 'background', started: true, staleCount: -1e9, ...HINTS },
  ])

/** Bodies that are no wake at all. */
export const GARBAGE: readonly string[] = [
  ...['', '{', 'null', '[]', '1', '"x"', '{}', '\u0000', '<xml/>', 'a'.repeat(10_000)],
  ...[
    '{"partition":null}',
    '{"partition":["a/run/b"],"lane":"main","started":true,"staleCount":0}',
  ],
  ...['{"partition":"a/run/b","lane":"admin","started":true,"staleCount":0}'],
  ...['{"partition":"a/run/b","lane":"main","started":"yes","staleCount":0}'],
  ...['{"partition":"a/run/b","lane":"main","started":true,"staleCount":"0"}'],
  ...['{"partition":{"toString":"x"},"lane":"main","started":true,"staleCount":0}'],
  ...['{"__proto__":{"partition":"a/run/b","lane":"main","started":true,"staleCount":0}}'],
  ...['{"command":"cancel","run":"run_0","tenant":"stranger"}', '['.repeat(50_000)],
]
