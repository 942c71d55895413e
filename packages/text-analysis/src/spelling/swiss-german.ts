import type { Finding } from '../analysis.js';
import type { Dictionary } from './dictionary.js';

/** Regions whose German has no ß: `Strasse`. */
const WITHOUT_ESZETT = new Set(['de-CH', 'de-LI']);

export function isWithoutEszett(language: string): boolean {
  return WITHOUT_ESZETT.has(language);
}

/** German as in Switzerland: also accepts `ss` for `ß`. */
export class SwissGerman implements Dictionary {
  readonly language = 'de-CH';

  /** `german` is the dictionary of Germany, which others use too. */
  constructor(private readonly german: Dictionary) {}

  knows(word: string): boolean {
    return this.german.knows(word) || withEszett(word).some((form) => this.german.knows(form));
  }

  isCompound(word: string): boolean {
    return [word, ...withEszett(word)].some((form) => this.german.isCompound(form));
  }

  mayBeSimple(word: string): boolean {
    return [word, ...withEszett(word)].some((form) => this.german.mayBeSimple(form));
  }

  dispose(): void {
    // The dictionary of Germany is disposed by its owner.
  }
}

/** Returns a finding whose replacements have no ß. */
export function withoutEszett(finding: Finding): Finding {
  const byValue = new Map<string, Finding['replacements'][number]>();
  for (const replacement of finding.replacements) {
    const value = replacement.value.replaceAll('ß', 'ss');
    // The first of two equal values is the more likely one.
    if (!byValue.has(value)) byValue.set(value, { ...replacement, value });
  }
  return { ...finding, replacements: [...byValue.values()] };
}

/** Returns the word with one or all `ss` replaced: `Grossstadt` is `Großstadt`. */
function withEszett(word: string): string[] {
  const places = [...word.matchAll(/ss/g)].map(({ index }) => index);
  if (places.length === 0) return [];
  const forms = places.map((at) => `${word.slice(0, at)}ß${word.slice(at + 2)}`);
  return places.length > 1 ? [...forms, word.replaceAll('ss', 'ß')] : forms;
}
