import { grants } from '../../auth/scopes.js';
import type { Principal } from '../../auth/principal.js';
import { isAtLeast } from '../../auth/roles.js';
import type { DocumentType } from '../../content/document-type.js';
import type { Document } from '../model/document-fields.js';

/** Who can publish a version despite its problems. Keys with the scope `*` can, too, unless it is `nobody`. */
export const OVERRIDERS = ['owner', 'admin', 'nobody'] as const;
export type Overrider = (typeof OVERRIDERS)[number];

export const MAX_RULES = 20;
export const MAX_SCORE = 100;
/** Limit of `errors` and `openSuggestions`. */
export const MAX_ALLOWED = 10_000;
export const MAX_REASON_CHARACTERS = 500;

/** What a version needs to be published. Null: not checked. */
export interface RequiredChecks {
  /** Maximum number of errors that the analysis finds. */
  errors: number | null;
  /** Minimum overall score. */
  minScore: number | null;
  /** Maximum number of open suggestions, those of proposals included. */
  openSuggestions: number | null;
}

/** What documents need to be published. The first rule that fits a document applies. */
export interface PublicationRule {
  /** Null: all. */
  types: DocumentType[] | null;
  checks: RequiredChecks;
  override: Overrider;
}

/** Returns the rule that applies to a document. */
export function ruleFor(
  rules: readonly PublicationRule[],
  { type }: Pick<Document, 'type'>,
): PublicationRule | undefined {
  return rules.find(({ types }) => types === null || types.includes(type));
}

/** True if the caller can publish a version although the rule refuses it. */
export function canOverride({ override }: PublicationRule, principal: Principal): boolean {
  if (override === 'nobody') return false;
  return principal.kind === 'person'
    ? isAtLeast(principal.role, override)
    : grants(principal.scopes, '*');
}
