import type { FailureDetails } from '../../../api/failure.js';
import type { components } from '../../../api/v1-schema.js';

export type PublicationProblem = components['schemas']['PublicationProblem'];

/** What the dashboard says instead of the service, whose words are about the API. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  analysis_missing:
    'This text has no up-to-date analysis. Publishing starts one. Try again in a moment.',
  unchecked_language:
    'No check for mistakes is available for the language of this text. If the language is wrong, change it in Details.',
};

/** Returns what is wrong with a version, and what to do. */
export function problemWords({ check = '', issue }: { check?: string; issue: string }): string {
  return OWN_WORDS[check] ?? issue;
}

/** Returns the message of an error if the rules of the account refused to publish. */
export function refusalMessage({ reason, problems = [] }: FailureDetails): string | undefined {
  if (reason !== 'checks') return undefined;
  return `Not published. ${[...new Set(problems.map(problemWords))].join(' ')}`;
}
