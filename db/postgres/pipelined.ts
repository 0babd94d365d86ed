type Statements = readonly (Promise<unknown> | undefined)[];
type Results<T extends Statements> = { -readonly [K in keyof T]: Awaited<T[K]> };

/**
 * The results of statements that were sent on one connection without waiting for each other. It
 * settles when all of them have been answered, and rejects with the error of the first that failed:
 * those behind it say no more than that the transaction is lost.
 */
export async function pipelined<T extends Statements>(...statements: T): Promise<Results<T>> {
  const answers = await Promise.allSettled(statements);
  const results = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
  return results as Results<T>;
}
