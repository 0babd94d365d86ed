/**
 * Answers each message of the parent process with the times that were noted since the last one.
 *
 * @returns notes a time
 */
export function sendTimes(): (time: number) => void {
  let times: number[] = [];
  process.on('message', () => {
    process.send?.(times);
    times = [];
  });
  process.send?.([]);
  return (time) => void times.push(time);
}
