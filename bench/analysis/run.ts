import { measureEnglish } from './english.js';
import { measureEnhance } from './enhance.js';
import { measureLanguages } from './languages.js';
import { measureScores } from './scores.js';

/** `npm run bench:analysis -- --only languages`. Without `--only`, runs all parts. Prints Markdown tables. */
const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  english: measureEnglish,
  enhance: measureEnhance,
  languages: measureLanguages,
  scores: measureScores,
};

const only = process.argv[process.argv.indexOf('--only') + 1];
const wanted = process.argv.includes('--only') ? [only ?? ''] : Object.keys(PARTS);
for (const name of wanted) {
  const part = PARTS[name];
  if (!part)
    throw new Error(`There is no part ${name}. The parts are: ${Object.keys(PARTS).join(', ')}.`);
  process.stdout.write(`## ${name}\n\n${await part()}\n`);
}
