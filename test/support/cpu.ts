/** CPU time of `work` in milliseconds. Wall time would also count the load of other processes. */
export function cpuMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
