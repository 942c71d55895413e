/** eld has no types for its entries by size. */
declare module 'eld/extrasmall' {
  export const eld: { detect: (text: string) => { getScores: () => Record<string, number> } };
}
