import type { ApiResponse } from '../support/api-client.js';

/** A suggestion, or an issue of an analysis, as the API returns it. */
export interface ShownSuggestion {
  id: string;
  start: number;
  end: number;
  line: number;
  column: number;
  original: string;
  replacements: { value: string; confidence: number }[];
  safe: boolean;
  status: string;
  chosen: string | null;
  appliedVersion: number | null;
}

export interface ShownEnhancement {
  id: string;
  status: string;
  baseVersion: number;
  textVersion: number;
  jobId: string;
  suggestions: ShownSuggestion[];
  suggestionCounts: Record<string, number>;
  preview: string | null;
  diff: { unified: string } | null;
  error: { message: string; details: object | null } | null;
  conflicts: { id: string; with: string }[];
  documentVersion: number;
}

/** Returns the data of a response with the type that the API promises. */
export function dataOf<Shown>({ body }: { body: { data: Shown } }): Shown {
  return body.data;
}

export const enhancementOf = (response: ApiResponse) => dataOf<ShownEnhancement>(response);

/** Returns the suggestions for a passage. */
export const named = ({ suggestions }: Pick<ShownEnhancement, 'suggestions'>, original: string) =>
  suggestions.filter((one) => one.original === original);

export const idOf = (enhancement: ShownEnhancement, original: string, index = 0): string =>
  named(enhancement, original)[index]?.id ?? 'none';
