/** Stands in for the limiter: admits everything and counts nothing. */
export async function createCountedLimits(options: { limits: Record<string, number> }) {
  const { limits } = options;
  return {
    take: (limiter: string) => ({ admitted: true, remaining: limits[limiter], resetIn: 0 }),
    pass: (limiter: string) => limits[limiter],
    stats: () => ({ windows: 0, evicted: 0, statements: 0, alone: false }),
    stop: async () => {},
  };
}
