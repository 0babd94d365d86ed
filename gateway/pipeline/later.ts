/** Whether something comes later. (`instanceof` costs more, and every hot read asks.) */
export function isLater<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
