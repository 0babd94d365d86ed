/**
 * The hard limit of files and connections that a process has open.
 *
 * @param limits what `/proc/self/limits` says; empty where the system has none
 * @returns a number, or another word for none
 */
export function openFilesLimit(limits: string): string | undefined {
  return /^Max open files +\S+ +(\S+)/m.exec(limits)?.[1];
}
