/** Letters of a cookie's value. */
const LENGTH = 43;

/** The value of the cookie of a screen, by its number from 0. */
export const screenSecret = (index: number) => String(index).padStart(LENGTH, '0');

/** The Cookie header of a screen. */
export const screenCookie = (index: number) => `lavagna-screen=${screenSecret(index)}`;
