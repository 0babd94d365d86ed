const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const OTHERS: readonly [decimals: number, codes: string][] = [
  [0, NO_DECIMALS],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
const DECIMALS = new Map(
  OTHERS.flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/** The currency of a restaurant that has chosen no other. */
export const USUAL_CURRENCY = 'EUR';

/**
 * How many decimals prices in a currency have by ISO 4217. `Intl` follows the habits of shops instead:
 * it knows no decimals of dinars, for example.
 */
export function currencyDecimals(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

/** Whether a number has at most so many decimals. */
export function hasDecimals(number: number, most: number): boolean {
  return Number(number.toFixed(most)) === number;
}

/** Whether a currency has coins for an amount. */
export function fitsCurrency(amount: number, currency: string): boolean {
  return hasDecimals(amount, currencyDecimals(currency));
}
