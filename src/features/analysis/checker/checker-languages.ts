import { requestedLanguage } from '@document-service/text-analysis/language/requested-language';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import { AppError } from '../../../platform/basics/errors/app-error.js';

/** The codes under which LanguageTool's clients know our languages, by the code of the dictionary. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  en: ['en', 'en-US', 'en-AU', 'en-CA', 'en-NZ', 'en-ZA'],
  de: ['de', 'de-DE', 'de-AT', 'de-CH'],
  pt: ['pt', 'pt-BR', 'pt-PT'],
  pl: ['pl-PL'],
  da: ['da-DK'],
};

/** The variant that clients expect for a detected language. */
const VARIANTS: Readonly<Record<string, string>> = {
  en: 'en-US',
  de: 'de-DE',
  pt: 'pt-BR',
  pl: 'pl-PL',
  da: 'da-DK',
};

export function variantOf(code: string): string {
  return VARIANTS[code] ?? code;
}

const names = new Intl.DisplayNames(['en'], {
  type: 'language',
  languageDisplay: 'standard',
  style: 'short',
});

/** Returns a name such as `English (US)`, or the code itself if it is none. Operators name dictionaries as they like. */
export function languageName(code: string): string {
  if (code === 'und') return 'Unknown';
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** A language as LanguageTool lists it. */
interface ListedLanguage {
  name: string;
  /** Without a region, such as `en`. */
  code: string;
  /** Such as `en-US`. */
  longCode: string;
}

/** The languages that can be checked: those with a dictionary. */
export class CheckerLanguages {
  private constructor(private readonly dictionaries: Dictionaries) {}

  /** `folder` contains the operator's dictionaries. */
  static async open(folder: string | undefined): Promise<CheckerLanguages> {
    return new CheckerLanguages(await Dictionaries.open(folder));
  }

  /** Returns the languages, ordered by code. */
  list(): ListedLanguage[] {
    return this.codes().map((longCode) => ({
      name: languageName(longCode),
      code: longCode.split('-')[0] ?? longCode,
      longCode,
    }));
  }

  /** Throws `bad_request` for a language that cannot be checked. */
  require(language: string): void {
    const requested = requestedLanguage(language);
    if (requested.kind === 'auto') return;
    if (requested.kind === 'known' && this.dictionaries.codeFor(requested.code) !== undefined)
      return;
    throw unknownLanguage(language, this.codes());
  }

  /** Returns the preferred variants that can be checked. Clients list variants of all languages. */
  supported(variants: readonly string[]): string[] {
    return variants.flatMap((variant) => {
      const requested = requestedLanguage(variant);
      if (requested.kind !== 'known') return [];
      return this.dictionaries.codeFor(requested.code) === undefined ? [] : [requested.code];
    });
  }

  private codes(): string[] {
    const codes = this.dictionaries.languages.flatMap((code) => CODES[code] ?? [code]);
    return [...new Set(codes)].sort();
  }
}

const MAX_SHOWN = 50;

function unknownLanguage(language: string, codes: readonly string[]): AppError {
  const shown = language.length > MAX_SHOWN ? `${language.slice(0, MAX_SHOWN)}…` : language;
  return new AppError(
    'bad_request',
    `"${shown.toWellFormed()}" is not a language code known to this service. Send auto or one of: ${codes.join(', ')}.`,
  );
}
