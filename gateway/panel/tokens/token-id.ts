const MAX_ID = 2_147_483_647;

/** Reads a token's id out of an address; null when it is none. */
export function parseTokenId(text: string): number | null {
  if (!/^[1-9]\d{0,9}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}
