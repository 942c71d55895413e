import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  CHECKS,
  SUGGESTION_LEVELS,
  type AccountRules,
  type AnalysisSettings,
  type Check,
} from '@document-service/text-analysis/analysis';
import {
  DEFAULT_SUGGESTION_LEVEL,
  suggestionLevelOf,
  unknownLevelIn,
} from '../../content/suggestion-level.js';

/** Analysis settings in job orders. */
export const SETTINGS = z.object({
  checks: z.array(z.enum(CHECKS)),
  language: z.string(),
  suggestionLevel: z.enum(SUGGESTION_LEVELS),
  unknownLevel: z.string().optional(),
});

/** Options of an analysis request. */
export interface AnalysisWishes {
  checks?: Check[] | undefined;
  language?: string | undefined;
  suggestionLevel?: string | undefined;
}

/**
 * Returns the settings of an analysis. Options of the request override the document's `aiSettings` (JSON text). The
 * defaults are all checks, level medium and the detected language.
 */
export function effectiveSettings(wishes: AnalysisWishes, aiSettings = '{}'): AnalysisSettings {
  const saved = JSON.parse(aiSettings) as { language?: unknown; suggestionLevel?: unknown };
  const language = wishes.language ?? textOf(saved.language) ?? 'auto';
  const level = wishes.suggestionLevel ?? textOf(saved.suggestionLevel) ?? '';
  const unknownLevel = unknownLevelIn(level);
  const checks = wishes.checks ?? [...CHECKS];
  return {
    checks: CHECKS.filter((check) => checks.includes(check)),
    language: language.trim() === '' ? 'auto' : language.trim(),
    suggestionLevel: suggestionLevelOf(level) ?? DEFAULT_SUGGESTION_LEVEL,
    ...(unknownLevel !== undefined && { unknownLevel }),
  };
}

/** Returns a hash of all inputs of an analysis except the text. */
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
