/** How long something takes this thread alone, in milliseconds: the machine may be busy with else. */

export function cpuMs(act: () => void): number {
  const began = process.threadCpuUsage()
  act()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1_000
}
