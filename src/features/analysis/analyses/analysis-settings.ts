import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  CHECKS,
  SUGGESTION_LEVELS,
  type AccountRules,
  type AnalysisSettings,
  type Check,
  type SuggestionLevel,
} from '@document-service/text-analysis/analysis';

/** As jobs keep them. */
export const SETTINGS = z.object({
  checks: z.array(z.enum(CHECKS)),
  language: z.string(),
  suggestionLevel: z.enum(SUGGESTION_LEVELS),
});

/** What a client may ask of one analysis. */
export interface AnalysisWishes {
  checks?: Check[] | undefined;
  language?: string | undefined;
  suggestionLevel?: string | undefined;
}

/** Every word that clients use for a level; anything else is medium. */
const LEVELS: ReadonlyMap<string, SuggestionLevel> = new Map(
  Object.entries({
    low: 'low',
    minimal: 'low',
    conservative: 'low',
    medium: 'medium',
    moderate: 'medium',
    balanced: 'medium',
    standard: 'medium',
    high: 'high',
    detailed: 'high',
    comprehensive: 'high',
    aggressive: 'high',
  } as const),
);

/**
 * What an analysis is made by: what the request says, else the document's `aiSettings` (JSON text), else every check at
 * level medium in the language that is detected.
 */
export function effectiveSettings(wishes: AnalysisWishes, aiSettings = '{}'): AnalysisSettings {
  const saved = JSON.parse(aiSettings) as { language?: unknown; suggestionLevel?: unknown };
  const language = wishes.language ?? textOf(saved.language) ?? 'auto';
  const level = wishes.suggestionLevel ?? textOf(saved.suggestionLevel) ?? 'medium';
  const checks = wishes.checks ?? [...CHECKS];
  return {
    checks: CHECKS.filter((check) => checks.includes(check)),
    language: language.trim() === '' ? 'auto' : language.trim(),
    suggestionLevel: LEVELS.get(level.trim().toLowerCase()) ?? 'medium',
  };
}

/** The same for all analyses that find the same in the same text. */
export function settingsHash(
  settings: AnalysisSettings,
  rules: AccountRules,
  engine: { name: string; version: string },
  dismissed: readonly string[],
): string {
  const all = JSON.stringify([settings, rules, engine.name, engine.version, dismissed]);
  return createHash('sha256').update(all).digest('base64url').slice(0, 22);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
