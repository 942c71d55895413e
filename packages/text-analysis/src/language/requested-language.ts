import { pairsIn, readSections, wordsIn } from '../data-file.js';

/** A requested language: detect it, a known one, or an unknown value. */
export type RequestedLanguage =
  { kind: 'auto' } | { kind: 'known'; code: string } | { kind: 'unknown'; value: string };

/** Values that request detection. */
const AUTO = new Set([
  '',
  'auto',
  'automatic',
  'detect',
  'autodetect',
  'auto-detect',
  'any',
  'und',
]);

/** Longer values name no language, and normalizing consecutive marks takes quadratic time. */
const LONGEST_NAME = 100;

const DATA = readSections(import.meta.url, 'language-names.txt');
const REGIONAL = wordsIn(DATA, 'regional');
const LONG_CODES = wordsIn(DATA, 'three letters');
const OTHER_NAMES = pairsIn(DATA, 'other names');

/**
 * Parses `aiSettings.language`: a code in any spelling (`en`, `EN_gb`, `deu`), a language's English or native name
 * (`German`, `Deutsch`, `English (UK)`), or `auto`.
 */
export function requestedLanguage(setting: string | null | undefined): RequestedLanguage {
  const value = (setting ?? '').trim();
  if (value.length > LONGEST_NAME) return { kind: 'unknown', value };
  const lower = value.normalize('NFC').toLowerCase();
  if (AUTO.has(lower)) return { kind: 'auto' };
  const code =
    codeOf(value) ?? codesByName().get(lower) ?? codesByName().get(lower.replace(/ language$/, ''));
  return code === undefined ? { kind: 'unknown', value } : { kind: 'known', code };
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns a well-formed code of an existing language, or undefined. */
function codeOf(value: string): string | undefined {
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(value)) return undefined;
  try {
    const [code] = Intl.getCanonicalLocales(value.replaceAll('_', '-'));
    const language = code?.split('-')[0];
    return language !== undefined && englishNames.of(language) !== undefined ? code : undefined;
  } catch {
    return undefined;
  }
}

let names: ReadonlyMap<string, string> | undefined;

/** Returns codes by English and native names, in lower case. Created on first use, which takes milliseconds. */
function codesByName(): ReadonlyMap<string, string> {
  names ??= new Map([...ownNames(), ...regionalNames(), ...englishLanguageNames(), ...OTHER_NAMES]);
  return names;
}

function* allCodes(): Generator<string> {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (const first of letters) for (const second of letters) yield first + second;
  yield* LONG_CODES;
}

function* englishLanguageNames(): Generator<[string, string]> {
  for (const code of allCodes()) {
    const name = englishNames.of(code);
    const [canonical] = Intl.getCanonicalLocales(code);
    if (name !== undefined && canonical !== undefined) yield [name.toLowerCase(), canonical];
  }
}

function* ownNames(): Generator<[string, string]> {
  for (const code of allCodes()) {
    if (Intl.DisplayNames.supportedLocalesOf([code]).length === 0) continue;
    const [canonical] = Intl.getCanonicalLocales(code);
    const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code);
    if (name !== undefined && canonical !== undefined) yield [name.toLowerCase(), canonical];
  }
}

function* regionalNames(): Generator<[string, string]> {
  for (const languageDisplay of ['dialect', 'standard'] as const) {
    for (const style of ['long', 'short'] as const) {
      const display = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay, style });
      for (const code of REGIONAL) yield [(display.of(code) ?? code).toLowerCase(), code];
    }
  }
}
