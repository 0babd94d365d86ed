/** Makes undefined of the error that a file or a process is not there; to be given to `catch`. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
}
