/** Base, past and participle of the verbs that form them in ways of their own. */
const IRREGULAR_VERBS = `be was been;beat beat beaten;become became become;begin began begun;bite bit bitten;break broke broken;bring brought brought;build built built;buy bought bought;catch caught caught;choose chose chosen;come came come;do did done;draw drew drawn;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feel felt felt;fight fought fought;find found found;fly flew flown;forget forgot forgotten;get got got;give gave given;go went gone;grow grew grown;have had had;hear heard heard;hide hid hidden;hold held held;keep kept kept;know knew known;leave left left;lose lost lost;make made made;mean meant meant;meet met met;pay paid paid;ride rode ridden;ring rang rung;rise rose risen;run ran run;say said said;see saw seen;sell sold sold;send sent sent;sing sang sung;sit sat sat;sleep slept slept;speak spoke spoken;spend spent spent;stand stood stood;steal stole stolen;swim swam swum;take took taken;teach taught taught;tell told told;think thought thought;throw threw thrown;understand understood understood;wake woke woken;wear wore worn;win won won;write wrote written`;

interface VerbForms {
  base: string;
  past: string;
  participle: string;
}

const byPast = new Map<string, VerbForms>();
const byBase = new Map<string, VerbForms>();
for (const line of IRREGULAR_VERBS.split(';')) {
  const [base = '', past = '', participle = ''] = line.split(' ');
  const forms = { base, past, participle };
  byBase.set(base, forms);
  if (past !== base) byPast.set(past, forms);
}

/** Verbs that are common enough to be known without a tagger; none of them is more often a noun. */
export const COMMON_VERBS = new Set(
  'agree allow appear arrive ask bark become begin believe belong bring buy choose come consist contain continue create decide depend describe do eat enjoy exist expect explain feel find finish follow forget get give go grow happen have hear help improve include know learn leave like listen live look lose love make mean meet need offer open pay play prefer produce provide read receive remember require return run say see seem sell send show sing sit sleep speak spend stay study suggest take talk teach tell think travel try understand use visit wait walk want watch wear work worry write'.split(
    ' ',
  ),
);

const regularised = new Map<string, string>();
for (const { base, past } of byBase.values()) {
  const double = `${base}${base.slice(-1)}ed`;
  for (const wrong of [base.endsWith('e') ? `${base}d` : `${base}ed`, double])
    regularised.set(wrong, past);
}

/** `went` for `goed`, `taught` for `teached`. */
export function pastOfRegularised(word: string): string | undefined {
  return regularised.get(word);
}

/** The base of `went`, `saw`, `broke`: of an irregular past that is no base itself. */
export function baseOfPast(word: string): string | undefined {
  return byPast.get(word)?.base;
}

export function pastOf(base: string): string {
  return byBase.get(base)?.past ?? regularPast(base);
}

function regularPast(base: string): string {
  if (base.endsWith('e')) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return /^[^aeiou]*[aeiou][bdgmnprt]$/.test(base) ? `${base}${base.slice(-1)}ed` : `${base}ed`;
}

/** The base of `goes`, `tries`, `likes` when it is a common verb. */
export function baseOfThirdPerson(word: string): string | undefined {
  if (word === 'has') return 'have';
  if (!word.endsWith('s') || word.endsWith('ss')) return undefined;
  const candidates = [word.slice(0, -1)];
  if (word.endsWith('ies')) candidates.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) candidates.push(word.slice(0, -2));
  return candidates.find((base) => COMMON_VERBS.has(base));
}

export function thirdPersonOf(base: string): string {
  if (base === 'have') return 'has';
  if (base === 'be') return 'is';
  if (/(?:[sxz]|ch|sh|o)$/.test(base)) return `${base}es`;
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`;
}

export function gerundOf(base: string): string {
  if (base.endsWith('ie')) return `${base.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(base) && base !== 'be') return `${base.slice(0, -1)}ing`;
  if (/^[^aeiou]*[aeiou][bdgmnpt]$/.test(base) || base === 'begin' || base === 'forget')
    return `${base}${base.slice(-1)}ing`;
  return `${base}ing`;
}

const IRREGULAR_PLURALS = new Map(
  'child children;person people;man men;woman women;foot feet;tooth teeth;mouse mice;life lives;wife wives;knife knives;leaf leaves;half halves;wolf wolves;shelf shelves;thief thieves;analysis analyses;criterion criteria;phenomenon phenomena'
    .split(';')
    .map((pair) => pair.split(' ') as [string, string]),
);
const singulars = new Map([...IRREGULAR_PLURALS].map(([one, many]) => [many, one]));

/** Have one form for one and for many, or no plural at all. */
export const NO_PLURAL = new Set(
  'information advice furniture equipment homework luggage baggage knowledge software hardware feedback research progress traffic weather music news money water evidence data media series species means sheep fish deer staff police cattle aircraft offspring headquarters mathematics physics economics politics statistics works'.split(
    ' ',
  ),
);

/** Cannot be counted: neither `a` nor a plural, and `much`, not `many`. */
export const UNCOUNTABLE = new Set(
  'information advice furniture equipment homework luggage baggage knowledge software hardware feedback research progress traffic weather evidence pollution transportation housework bread money garbage vocabulary'.split(
    ' ',
  ),
);

export function pluralOf(noun: string): string {
  const irregular = IRREGULAR_PLURALS.get(noun);
  if (irregular) return irregular;
  if (/(?:[sxz]|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** The singular of a plural; undefined for what is none. */
export function singularOf(word: string): string | undefined {
  const irregular = singulars.get(word);
  if (irregular) return irregular;
  if (!/[a-z]{2}s$/.test(word) || /(?:ss|us|is)$/.test(word) || NO_PLURAL.has(word))
    return undefined;
  if (word.endsWith('ies') && word.length > 5) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Writes a word like another one: `The` for `This`. */
export function likeCase(model: string, word: string): string {
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
