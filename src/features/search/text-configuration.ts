/** The stemmers of PostgreSQL 15, by ISO 639-1 code; their names are the English names of languages. */
const STEMMERS: Readonly<Record<string, string>> = {
  ...{
    ar: 'arabic',
    hy: 'armenian',
    eu: 'basque',
    ca: 'catalan',
    da: 'danish',
    nl: 'dutch',
    en: 'english',
    fi: 'finnish',
  },
  ...{
    fr: 'french',
    de: 'german',
    el: 'greek',
    hi: 'hindi',
    hu: 'hungarian',
    id: 'indonesian',
    ga: 'irish',
    it: 'italian',
  },
  ...{
    lt: 'lithuanian',
    ne: 'nepali',
    no: 'norwegian',
    nb: 'norwegian',
    nn: 'norwegian',
    pt: 'portuguese',
    ro: 'romanian',
  },
  ...{
    ru: 'russian',
    sr: 'serbian',
    es: 'spanish',
    sv: 'swedish',
    ta: 'tamil',
    tr: 'turkish',
    yi: 'yiddish',
  },
};
const NAMES = new Set(Object.values(STEMMERS));

/** The text search configuration of a document's language: English without one, `simple`, without a stemmer, for others. */
export function textConfiguration(language: unknown): string {
  const given = typeof language === 'string' ? language.trim().toLowerCase() : '';
  if (given === '' || given === 'auto') return 'english';
  const [name = ''] = /^[a-z]*/.exec(given) ?? [];
  return NAMES.has(name) ? name : (Object.hasOwn(STEMMERS, name) && STEMMERS[name]) || 'simple';
}
