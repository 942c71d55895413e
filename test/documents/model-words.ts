/** Words for generated texts that no stemmer changes: accents, apostrophes, punctuation and scripts without spaces. */
export const MODEL_WORDS = [
  'alpha',
  'bravo',
  'delta',
  'kilo',
  'Café',
  'cafe',
  'CAFE\u0301',
  'AT&T',
  "don't",
  'don\u2019t',
  '東京',
  'alpha東京',
  '京都',
];

/** Queries for these texts. */
export const MODEL_LITERALS = [
  'alpha',
  'bravo',
  'cafe',
  'CAFÉ',
  'at&t',
  "don't",
  'don\u2019t',
  '東京',
  '京',
  'alpha東',
  '"alpha bravo"',
  '"bravo café"',
  '"alpha 東京"',
  '"京 kilo"',
  '"東京 delta"',
];
