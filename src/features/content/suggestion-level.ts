import { SUGGESTION_LEVELS, type SuggestionLevel } from '@document-service/text-analysis/analysis';
import type { FieldProblem } from '../../platform/basics/errors/app-error.js';

export const DEFAULT_SUGGESTION_LEVEL: SuggestionLevel = 'medium';

const ALIASES: Readonly<Record<SuggestionLevel, readonly string[]>> = {
  low: ['minimal', 'conservative'],
  medium: ['moderate', 'balanced', 'standard'],
  high: ['detailed', 'comprehensive', 'aggressive'],
};

/** Maximum number of characters of an unknown level that a warning repeats. */
const MAX_SHOWN = 100;

/** Returns the level with this name, in any case, or `undefined` if the name is unknown. */
export function suggestionLevelOf(name: string): SuggestionLevel | undefined {
  const lower = name.trim().toLowerCase();
  return SUGGESTION_LEVELS.find((level) => level === lower || ALIASES[level].includes(lower));
}

/** Returns the name as warnings show it if no level has it. A blank name means the default. */
export function unknownLevelIn(name: string): string | undefined {
  if (name.trim() === '' || suggestionLevelOf(name)) return undefined;
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
}

/** Returns a warning if these `aiSettings` (JSON text) have a level that analyses do not know. */
export function aiSettingsWarnings(aiSettings: string): FieldProblem[] {
  if (!aiSettings.includes('suggestionLevel')) return [];
  const { suggestionLevel } = JSON.parse(aiSettings) as { suggestionLevel?: unknown };
  const unknown = typeof suggestionLevel === 'string' ? unknownLevelIn(suggestionLevel) : undefined;
  if (unknown === undefined) return [];
  const known = SUGGESTION_LEVELS.join(', ');
  const issue = `"${unknown}" is unknown, so analyses use ${DEFAULT_SUGGESTION_LEVEL}; known levels are ${known}`;
  return [{ field: 'aiSettings.suggestionLevel', issue }];
}
