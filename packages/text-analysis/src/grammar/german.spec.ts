import type { Finding } from '../analysis.js';
import { paragraphsOf } from '../paragraphs.js';
import { Dictionaries } from '../spelling/hunspell.js';
import { GermanGrammar } from './german.js';

describe('German grammar', () => {
  let grammar: GermanGrammar;

  beforeAll(async () => {
    const dictionary = await (await Dictionaries.open()).forLanguage('de');
    if (!dictionary) throw new Error('no German dictionary');
    grammar = GermanGrammar.load(dictionary);
  });

  function check(text: string): Finding[] {
    const findings = paragraphsOf(text, 'markdown').flatMap((one) => grammar.findingsOf(one));
    for (const { start, end, original } of findings) expect(text.slice(start, end)).toBe(original);
    return findings;
  }

  const corrected = (text: string) =>
    check(text)
      .toReversed()
      .reduce(
        (changed, { start, end, replacements }) =>
          changed.slice(0, start) + (replacements[0]?.value ?? '?') + changed.slice(end),
        text,
      );

  it.each([
    ['Er sagt dass er kommt.', 'Er sagt, dass er kommt.'],
    [
      'Wir bleiben hier weil die Straße gesperrt ist.',
      'Wir bleiben hier, weil die Straße gesperrt ist.',
    ],
    ['Ruf mich an sobald du da bist 😀.', 'Ruf mich an, sobald du da bist 😀.'],
    ['Wir brauchen **bald** eine Auto.', 'Wir brauchen **bald** ein Auto.'],
    ['Sie öffnet dieses Tür mit einen Schlüssel.', 'Sie öffnet diese Tür mit einem Schlüssel.'],
    ['Das ist der Name des Benutzer.', 'Das ist der Name des Benutzers.'],
    [
      'Er fährt mit das Fahrrad, sie kocht für dem Vater.',
      'Er fährt mit dem Fahrrad, sie kocht für den Vater.',
    ],
    ['Die Donaudampfschiff fährt ab.', 'Das Donaudampfschiff fährt ab.'],
    ['Wir spielen mit den Kinder.', 'Wir spielen mit den Kindern.'],
    ['Wir spielen mit andere Kinder.', 'Wir spielen mit anderen Kindern.'],
    ['Wir warten seit drei Monate.', 'Wir warten seit drei Monaten.'],
    ['Ein kleine Haus steht im große Garten.', 'Ein kleines Haus steht im großen Garten.'],
    ['Bitte melden Sie sich bei Ihre Abteilung.', 'Bitte melden Sie sich bei Ihrer Abteilung.'],
    [
      'Wegen der schlechte Nachricht gehen die Kindern.',
      'Wegen der schlechten Nachricht gehen die Kinder.',
    ],
    ['Ich bleibe hier um das Buch zu lesen.', 'Ich bleibe hier, um das Buch zu lesen.'],
    ['Sie kommt nicht heute sondern morgen.', 'Sie kommt nicht heute, sondern morgen.'],
    ['Ich rufe an wenn ich ankomme.', 'Ich rufe an, wenn ich ankomme.'],
    ['Wir haben ein Haus aber wir mieten es.', 'Wir haben ein Haus, aber wir mieten es.'],
    ['Ich hoffe das wir gewinnen.', 'Ich hoffe, dass wir gewinnen.'],
    ['Ich warten hier. Ich haben Zeit.', 'Ich warte hier. Ich habe Zeit.'],
    ['Ich hoffe, das wir gewinnen.', 'Ich hoffe, dass wir gewinnen.'],
    ['Sie wohnt seid Jahren in Bremen.', 'Sie wohnt seit Jahren in Bremen.'],
    ['Ihr seit eingeladen.', 'Ihr seid eingeladen.'],
  ])('corrects %s', (text, expected) => {
    expect(corrected(text)).toBe(expected);
  });

  it.each([
    'Sie kam, kurz bevor der Zug fuhr, und auch weil das Wetter gut war.',
    'So dass wir es sehen, ohne dass er es merkt, als ob nichts wäre.',
    'Die Frau, die Kinder hat, kennt den Mann, dem Kollegen vertrauen.',
    'Das Leute tun so etwas oft, wenn das Menschen ärgert.',
    'Der Verein, mit dem Leute reisen, ist die Sache der Eltern.',
    'Das Gute daran freut die Kranken und den Deutschen.',
    'Wer die Debian Pakete kennt, nutzt die Ein- und Ausgabe der »Datei«.',
    'Die Polizei nahm den Dieb fest, den Polizisten lange suchten.',
    'Am Ende jeden Monats zählt der Leiter das Band und die Leiter die Band.',
    'Das Buch, das ich lese, entstammt dem Wissen, das wir haben.',
    'Von Haus aus keine Angst, seiner Meinung nach das Ende, ab und zu die Ruhe.',
    'Wir sind ihr seit Jahren bekannt, und ihr seid seit heute hier.',
    'Im Haus, dem Garten, des Hauses, dem Hause, den Häusern, des Graphen, den Worten.',
    'Das am besten geeignete Werkzeug, ein vor kurzem gekauftes Buch, mit weniger Kindern, bis zu einem Tag.',
    'Mit einer großen Zahl guter Freunde, bei jeder neuen Frage, mit drei guten Gründen, im selben Haus.',
    'Es ist Zeit, sich um das Kind zu kümmern, und auch wenn er kommt, bleibt sie.',
    'Ich gegen den Rest. Ich offen. Speziell wenn das Wetter schlecht ist, geht es um das Haus.',
    'Er hat ihr schöne Augen gemacht, weil es ein Thema ist, das ich mag, und wie wenn man singt.',
    'Setzen Sie `das` Tabelle und das **Bildschirm freigeben**-Symbol.',
  ])('leaves alone: %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it('offers several determiners with low confidence', () => {
    const [finding] = check('Wir brauchen eine Text.');
    expect(finding).toMatchObject({
      ruleId: 'grammar.german-determiner',
      severity: 'warning',
      replacements: [
        { value: 'einen', confidence: 0.5 },
        { value: 'ein', confidence: 0.25 },
      ],
    });
  });
});
