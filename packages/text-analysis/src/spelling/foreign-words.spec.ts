import { ForeignWords } from './foreign-words.js';

describe('Foreign words', () => {
  it('contain common words and the names of dictionaries', async () => {
    const foreign = await ForeignWords.load();
    expect(['merci', 'gracias', 'nicht'].filter((word) => !foreign.hasWord(word))).toEqual([]);
    expect(['camara', 'trimble', 'romain'].filter((name) => !foreign.hasName(name))).toEqual([]);
    expect(['instalation', 'unfortunatly'].filter((word) => foreign.hasName(word))).toEqual([]);
    expect(['recieve', 'instalation'].filter((word) => foreign.hasWord(word))).toEqual([]);
  });
});
