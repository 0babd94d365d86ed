/** The path of every request of the platform's API begins with it. */
export const PLATFORM_PREFIX = '/platform/';
