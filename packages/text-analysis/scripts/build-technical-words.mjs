// Writes the words that are more common in technical texts than in subtitles and news. Counts the Markdown files of the
// installed packages, so run it after `npm ci`: node packages/text-analysis/scripts/build-technical-words.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import {
  englishFrequencies,
  SUBTITLE_WORDS,
} from '@document-service/text-analysis/spelling/english-frequencies';
import { languageModel } from '@document-service/text-analysis/english/language-model';

/** Minimum number of packages with the word. Fewer may share a mistake. */
const LEAST_PACKAGES = 4;
/** Share of technical texts among all texts. */
const WEIGHT = 0.05;
/** Words that are not code: between blanks and punctuation, in lower case. */
const WORD = /(?<![\p{L}\d_'./@-])[a-z]{4,}(?![\p{L}\d_'/@-]|\.\w)/gu;
const NOT_PROSE = [/```[^]*?```/g, /`[^`\n]*`/g, /https?:\S+/g, /<[^>]+>/g, /\]\([^)]*\)/g];

const root = new URL('../../../', import.meta.url);
const texts = new Map();
const modules = new URL('node_modules/', root);
for (const path of readdirSync(modules, { recursive: true }).sort()) {
  if (!path.endsWith('.md') || /license/i.test(path)) continue;
  const name = /^(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  texts.set(name, `${texts.get(name) ?? ''}${readFileSync(new URL(path, modules), 'utf8')}\n`);
}
const uses = new Map();
const packages = new Map();
let total = 0;
for (const text of texts.values()) {
  const prose = NOT_PROSE.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
  total += prose.match(/\p{L}+/gu)?.length ?? 0;
  const words = prose.match(WORD) ?? [];
  for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
  for (const word of new Set(words)) packages.set(word, (packages.get(word) ?? 0) + 1);
}

const dictionaries = await Dictionaries.open();
const [us, gb] = await Promise.all(['en', 'en-GB'].map((code) => dictionaries.forLanguage(code)));
const { frequencies } = await englishFrequencies();
const model = await languageModel();
const lines = [...packages]
  .filter(([word, count]) => count >= LEAST_PACKAGES && (us.knows(word) || gb.knows(word)))
  .map(([word]) => [word, Math.round(((uses.get(word) * SUBTITLE_WORDS) / total) * WEIGHT)])
  .filter(
    ([word, expected]) =>
      expected > (frequencies.get(word) ?? 0) &&
      expected > Math.exp(model.logProbability(model.idOf(word))) * SUBTITLE_WORDS,
  )
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([word, expected]) => `${word} ${expected}`);
writeFileSync(
  new URL('packages/text-analysis/src/english/technical-words.txt', root),
  `# Words that are more common in technical texts than in subtitles and news, with their uses in 50 million words of mixed
# texts. Made by packages/text-analysis/scripts/build-technical-words.mjs.

${lines.join('\n')}
`,
);
console.log(`${lines.length} words of ${total} in ${texts.size} packages`);
