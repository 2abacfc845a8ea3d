/** Milliseconds of a core that `work` takes. The clock would also count what else the machine is busy with. */
export function cpuMs(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
