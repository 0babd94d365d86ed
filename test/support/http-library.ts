/** The HTTP library's binaries for Node 22 and later are newer than the one for Node 20. */
export const isNewerLibrary = Number(process.versions.modules) > 115;
