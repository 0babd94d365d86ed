/**
 * Answers each message of the parent process with the times that were noted since the last one.
 *
 * @param underWay resolves when the request under way has been noted, so that its time is not lost
 * @returns notes a time
 */
export function sendTimes(underWay?: () => Promise<void>): (time: number) => void {
  let times: number[] = [];
  process.on('message', async () => {
    await underWay?.();
    process.send?.(times);
    times = [];
  });
  process.send?.([]);
  return (time) => void times.push(time);
}
