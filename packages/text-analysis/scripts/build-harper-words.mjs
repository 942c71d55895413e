// Writes the words of Harper's dictionary that our other English word lists lack. Run it after an upgrade of harper.js.
import { readFileSync, writeFileSync } from 'node:fs';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import { EnglishSpelling } from '@document-service/text-analysis/spelling/english';
import { softwareTerms } from '@document-service/text-analysis/spelling/software-terms';

const package_ = new URL('../../../node_modules/harper.js/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', package_), 'utf8'));
// The binary contains the dictionary and its affixes as text: lines such as "keyring/NgS", and JSON.
const binary = readFileSync(new URL('dist/harper_wasm_slim_bg.wasm', package_), 'utf8');
const [, dictionary, json] =
  /\d+\n\n# Start of original dictionary import\n([^\0]*?)(\{\n\t"affixes"[^\0]*?\n\})/.exec(
    binary,
  );
const { affixes } = JSON.parse(json);

/** Returns the forms of a word with an affix, such as `keyrings`. */
function formsOf(word, { kind, replacements }) {
  return replacements.flatMap(({ remove, add, condition }) => {
    if (kind === 'suffix') {
      const fits = word.endsWith(remove) && new RegExp(`(?:${condition})$`).test(word);
      return fits ? [word.slice(0, word.length - remove.length) + add] : [];
    }
    const fits = word.startsWith(remove) && new RegExp(`^(?:${condition})`).test(word);
    return fits ? [add + word.slice(remove.length)] : [];
  });
}

const words = new Set();
for (const line of dictionary.split('\n')) {
  const [word, flags = ''] = line.split('#')[0].trim().split('/');
  // Flags without replacements are properties of the word.
  const used = [...flags].map((flag) => affixes[flag]).filter((affix) => affix?.replacements);
  const suffixes = used.filter(({ kind }) => kind === 'suffix');
  const prefixes = used.filter(({ kind }) => kind === 'prefix');
  const stems = [word, ...suffixes.flatMap((suffix) => formsOf(word, suffix))];
  for (const stem of stems) {
    for (const form of [stem, ...prefixes.flatMap((prefix) => formsOf(stem, prefix))])
      words.add(form);
  }
}

const dictionaries = await Dictionaries.open();
const [us, gb] = await Promise.all(['en', 'en-GB'].map((code) => dictionaries.forLanguage(code)));
const lexicons = { us, gb, softwareTerms: await softwareTerms(), harperWords: new Set() };
// Frequencies and foreign words only matter for replacements.
const spelling = new EnglishSpelling(lexicons, { frequencies: new Map(), names: new Set() });
const missing = [...words].filter(
  (word) => word.length > 2 && !word.endsWith("'s") && !spelling.isWord(word, 'en', () => false),
);
const path = new URL('../src/english/harper-words.txt', import.meta.url);
writeFileSync(
  path,
  `# Words of Harper's dictionary that our other English word lists lack. Made from harper.js ${version} (Apache-2.0) by
# packages/text-analysis/scripts/build-harper-words.mjs.

${missing.sort().join('\n')}
`,
);
console.log(`${missing.length} words`);
