import { paragraphsOf } from '../paragraphs.js';
import { wrongForms } from './wrong-forms.js';

describe('Forms that are always wrong', () => {
  const check = (language: string, text: string) =>
    paragraphsOf(text, 'plain')
      .flatMap((paragraph) => wrongForms(paragraph, language))
      .map(({ start, end, replacements }) => [text.slice(start, end), replacements[0]?.value]);

  it.each([
    ['pl', 'Wczoraj poszłem do domu.', [['poszłem', 'poszedłem']]],
    ['es', 'Hola. ¿Haber si vienes?', [['Haber si', 'A ver si']]],
    ['nl-BE', 'Morgen ik wordt dertig.', [['ik wordt', 'ik word']]],
    ['pt-BR', 'Hoje a gente vamos sair.', [['a gente vamos', 'a gente vai']]],
    [
      'de',
      'Das ist garnicht schwer. Vielen dank!',
      [
        ['garnicht', 'gar nicht'],
        ['Vielen dank', 'Vielen Dank'],
      ],
    ],
    ['fr', 'C’est réussi grâce a lui.', [['grâce a lui', 'grâce à lui']]],
  ])('finds them in %s', (language, text, expected) => {
    expect(check(language, text)).toEqual(expected);
  });

  it.each([
    ['pl', 'Wyszedłem, bo chciałem wziąć udział.'],
    ['es', '¿Qué va a haber si llueve?'],
    ['nl', 'Het ik wordt sterker. Sommigen van hun hebben honger.'],
    ['pt', 'Com a gente vamos longe.'],
    ['fr', 'La grâce a lui seul suffit.'],
    ['da', 'poszłem tambien'],
    ['de', 'poszłem tambien'],
  ])('leaves other text in %s alone', (language, text) => {
    expect(check(language, text)).toEqual([]);
  });
});
