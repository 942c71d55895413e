import { parseMoment } from '../../clock/moment.js';
import { nearestName } from '../../envelope/nearest-name.js';
import type { FieldProblem } from '../../errors/app-error.js';
import { decodeAnyId, decodeId, ID_PREFIXES, type IdKind } from '../../identifiers/identifiers.js';
import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '../audit-entry.js';

type Check = (value: unknown) => FieldProblem[];

/** What is wrong with an action to filter by; an unknown one is told the nearest known. */
export const actionProblems = knownName('action', AUDIT_ACTIONS);
export const resourceTypeProblems = knownName('resourceType', AUDIT_RESOURCES);

export const resourceIdProblems: Check = (value) =>
  typeof value === 'string' && decodeAnyId(value) !== undefined
    ? []
    : [{ field: 'resourceId', issue: `must be an id, such as ${ID_PREFIXES.document}_…` }];

/** What is wrong with the id of a user or a key. One that is well formed and unknown matches nothing. */
export function idProblems(field: string, kind: IdKind): Check {
  return (value) =>
    typeof value === 'string' && decodeId(kind, value) !== undefined
      ? []
      : [{ field, issue: `must be the id of a ${kind}, ${ID_PREFIXES[kind]}_…` }];
}

export function timeProblems(field: string): Check {
  return (value) =>
    typeof value === 'string' && parseMoment(value)
      ? []
      : [
          {
            field,
            issue:
              'must be a time with its zone, such as 2027-01-31T00:00:00Z, or a day, such as 2027-01-31, given once',
          },
        ];
}

function knownName(field: string, known: readonly string[]): Check {
  return (value) => {
    if (typeof value !== 'string') return [{ field, issue: 'must be given once' }];
    if (known.includes(value)) return [];
    const nearest = nearestName(value, known);
    const hint = nearest ? `did you mean '${nearest}'?` : `known are ${known.join(', ')}`;
    return [{ field, issue: `is not known; ${hint}` }];
  };
}
