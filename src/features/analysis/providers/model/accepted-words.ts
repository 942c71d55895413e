import type { AccountRules } from '@document-service/text-analysis/analysis';

/** Words of the account that an edit would change: they are right as they stand. */
export function changesAcceptedWord(
  { original, replacement }: { original: string; replacement: string },
  accepted: ReadonlySet<string>,
): boolean {
  if (accepted.size === 0) return false;
  const before = original.toLowerCase();
  const after = replacement.toLowerCase();
  return [...accepted].some((word) => holdsWord(before, word) && !holdsWord(after, word));
}

/** In lower case. */
export function acceptedWords({ words, styleRules }: AccountRules): ReadonlySet<string> {
  const ofRules = styleRules.flatMap((rule) => (rule.kind === 'accepted' ? rule.words : []));
  return new Set([...words, ...ofRules].map((word) => word.toLowerCase()));
}

const LETTER = /[\p{L}\p{N}\p{M}]/u;

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isWhole =
      !LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + word.length));
    if (isWhole) return true;
  }
  return false;
}
