import { Injectable } from '@nestjs/common';
import { requestedLanguage } from '@document-service/text-analysis/language/requested-language';
import { Dictionaries } from '@document-service/text-analysis/spelling/hunspell';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Config } from '../../../platform/config/config.js';
import { languageName } from './language-names.js';

/** The codes under which LanguageTool's clients know our languages, by the code of the dictionary. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  en: ['en', 'en-US', 'en-AU', 'en-CA', 'en-NZ', 'en-ZA'],
  de: ['de', 'de-DE', 'de-AT', 'de-CH'],
  pt: ['pt', 'pt-BR', 'pt-PT'],
  pl: ['pl-PL'],
  da: ['da-DK'],
};

/** A language as LanguageTool lists it. */
interface ListedLanguage {
  name: string;
  /** Without a region, such as `en`. */
  code: string;
  /** Such as `en-US`. */
  longCode: string;
}

/** The languages that can be checked: those with a dictionary. */
@Injectable()
export class CheckerLanguages {
  private opening: Promise<Dictionaries> | undefined;

  constructor(private readonly config: Config) {}

  /** Returns the languages, ordered by code. */
  async list(): Promise<ListedLanguage[]> {
    return codesOf(await this.dictionaries()).map((longCode) => ({
      name: languageName(longCode),
      code: longCode.split('-')[0] ?? longCode,
      longCode,
    }));
  }

  /** Throws `bad_request` for a language that cannot be checked. */
  async require(language: string): Promise<void> {
    const requested = requestedLanguage(language);
    if (requested.kind === 'auto') return;
    const dictionaries = await this.dictionaries();
    if (requested.kind === 'known' && dictionaries.codeFor(requested.code) !== undefined) return;
    throw unknownLanguage(language, codesOf(dictionaries));
  }

  /** Returns the variants that can be checked. Clients list variants of all languages. */
  async supported(variants: readonly string[]): Promise<string[]> {
    const dictionaries = await this.dictionaries();
    return variants.flatMap((variant) => {
      const requested = requestedLanguage(variant);
      if (requested.kind !== 'known') return [];
      return dictionaries.codeFor(requested.code) === undefined ? [] : [requested.code];
    });
  }

  /** Lists the dictionaries, but loads none. */
  private dictionaries(): Promise<Dictionaries> {
    this.opening ??= Dictionaries.open(this.config.spellDictionaries);
    return this.opening;
  }
}

function codesOf({ languages }: Dictionaries): string[] {
  return [...new Set(languages.flatMap((code) => CODES[code] ?? [code]))].sort();
}

const MAX_SHOWN = 50;

function unknownLanguage(language: string, codes: readonly string[]): AppError {
  const shown = language.length > MAX_SHOWN ? `${language.slice(0, MAX_SHOWN)}…` : language;
  return new AppError(
    'bad_request',
    `"${shown.toWellFormed()}" is not a language code known to this service. Send auto or one of: ${codes.join(', ')}.`,
  );
}
