/** Where the photos of a restaurant of tests are. */
export const testOrigin = (slug: string) => `http://${slug}.localhost`;
