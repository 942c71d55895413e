/** How long the words of others are highlighted, in ms. */
export const TINT_MS = 2_000;
