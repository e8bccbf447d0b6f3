/** Times some work and prints one line: how many a second, and microseconds each. */

export async function measure(
  name: string,
  count: number,
  work: () => Promise<void>,
): Promise<void> {
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const rate = Math.round((count / ms) * 1_000).toLocaleString('en')
  console.log(`${name.padEnd(44)} ${rate.padStart(9)}/s ${((ms / count) * 1_000).toFixed(1)} µs`)
}
