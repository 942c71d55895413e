import { countSyllables } from './syllables.js';

/** Words by number of syllables, counted by hand. */
const KNOWN: Readonly<Record<number, string>> = {
  1:
    'the cat sat mat dog house tree walked jumped makes made time like ones eye guess guest quick queue ' +
    'blue true shoes dreamed looked hopes rules files names lines guard build fruit juice suit friend ' +
    'piece field chief year young yes yield watched laughed stretched strengths through though thought ' +
    'brought knife lives loved used caused paused asked missed passed brown crowd world learned says said ' +
    'once twice choice voice noise house bridge edge large change space place guide league tongue vague ' +
    'fire hour our scene type types tape page plagued',
  2:
    'table simple people little able apple handle handled tables samples being seeing playing trying ' +
    'doing going poet lion giant trial dial diet quiet client science fuel cruel duel ruin fluid fluent ' +
    'union onion million junior senior special social partial nation station region legion Russian Asian ' +
    'Persian magic Christian wanted needed ended added started boxes changes places wishes uses pages ' +
    'bridges closes lovely careful careless statement movement something sometimes someone therefore ' +
    "safety ninety framework homepage baseline pipeline wireless didn't couldn't isn't rhythm prism " +
    'player buyer loyal royal beyond lawyer layer answer answered listen listened open opened happen ' +
    'happened server token cursor query empty valid create creates language service surface image message ' +
    "package marriage carriage server's writing language often toward towards women sugar acre centre " +
    'software pigeon surgeon surgeons anxious gracious conscious pressure measure nature future culture ' +
    'picture posture Wednesday business every argue',
  3:
    'area idea radio video studio period various serious previous curious obvious medium premium stadium ' +
    'actual usual manual annual visual museum theater element elements implement animal document ' +
    'documents paragraph syllable readable usable visible possible terrible important database however ' +
    'already another together umbrella computer remember recorder library history medicine opinion ' +
    'companion Italian civilian guardian Indian median studying carrying happier easier earlier carrier ' +
    'barrier happiest employer employee enjoying continued continue influence audience magician musician ' +
    'logician optician physician tactician everyone everything several family camera favorite recipe ' +
    'linear nuclear potato tomato banana origin different creative dialogue catalogue',
  4:
    "Canadian historian librarian comedian pedestrian Victorian vegetable material's experience " +
    'ingredient society variety anxiety situation evaluate January February education information ' +
    'operation application American available necessary dictionary secretary ordinary territory category ' +
    "material's invisible impossible continuous mathematics geography biology technology economy " +
    'community activity ability security authority experiment implemented algorithm cooperate coordinate ' +
    'interesting interested everybody literature temperature material directory obedient politician ' +
    'electrician original biography',
  5:
    'vegetarian university electricity personality opportunity communication administration configuration ' +
    "authentication imagination organization representative's international laboratory characteristic's " +
    'simultaneous mathematician',
  6: "responsibility reliability availability internationally disciplinarian humanitarian's",
};

describe('counting syllables', () => {
  const known = Object.entries(KNOWN).flatMap(([count, words]) =>
    words.split(' ').map((word) => [word, Number(count)] as const),
  );

  it('is right for each of 400 words whose syllables are known', () => {
    expect(known.length).toBeGreaterThan(400);
    const wrong = known.filter(([word, count]) => countSyllables(word) !== count);
    expect(wrong).toEqual([]);
  });

  it('counts the parts of a hyphenated word, and any word as one at least', () => {
    expect(countSyllables('well-known')).toBe(2);
    expect(countSyllables('hmm')).toBe(1);
    expect(countSyllables('日本')).toBe(1);
    expect(countSyllables('Café')).toBe(2);
  });

  it('takes no time over a word of a million letters', () => {
    expect(countSyllables('aeiou'.repeat(200_000))).toBeGreaterThan(0);
  });
});
