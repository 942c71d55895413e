import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { linesIn, pairsIn, readSections, wordsIn } from './data-file.js';

describe('a data file', () => {
  let folder: string;
  const sectionsOf = async (text: string) => {
    await writeFile(join(folder, 'list.txt'), text);
    return readSections(pathToFileURL(join(folder, 'module.js')).href, 'list.txt');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-file-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('has sections in the order of the file, without comments and empty lines', async () => {
    const sections = await sectionsOf('# About\n\n[two]\na b\n# Comment\nc\n\n[one]\r\nd  e\r\n');
    expect([...sections.keys()]).toEqual(['two', 'one']);
    expect(linesIn(sections, 'two')).toEqual(['a b', 'c']);
    expect(wordsIn(sections, 'two')).toEqual(['a', 'b', 'c']);
    expect(wordsIn(sections, 'one')).toEqual(['d', 'e']);
  });

  it('has the lines before its first section under an empty name', async () => {
    const sections = await sectionsOf('a\n[one]\nb\n');
    expect([...sections]).toEqual([
      ['', ['a']],
      ['one', ['b']],
    ]);
  });

  it('has pairs whose sides may be empty or hold several words', async () => {
    const sections = await sectionsOf('in order to > to\nh >\n> h\n');
    expect(pairsIn(sections, '')).toEqual([
      ['in order to', 'to'],
      ['h', ''],
      ['', 'h'],
    ]);
  });

  it('refuses to be asked for a section that it does not have', async () => {
    const sections = await sectionsOf('[one]\na\n');
    expect(() => wordsIn(sections, 'two')).toThrow('A data file has no section "two".');
    expect(() => wordsIn(sections, '')).toThrow('no section ""');
  });
});
