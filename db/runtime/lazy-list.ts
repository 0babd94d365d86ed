/** A list whose values are made each time that it is read, one after the other. */
export class LazyList<T> implements Iterable<T> {
  readonly #make: () => Iterable<T>;

  constructor(make: () => Iterable<T>) {
    this.#make = make;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#make()[Symbol.iterator]();
  }

  /** As `JSON.stringify` writes it, all at once. */
  toJSON(): T[] {
    return [...this];
  }
}
