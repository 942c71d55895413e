import { insufficientRight } from '../auth/access/access.js';
import { nothingToImport } from './style-rules/style-rule-compiler.js';
import { quotaExceeded } from '../usage/quotas/quota-refusal.js';
import { notMade, notYours } from './enhancements/suggestion-review.service.js';
import { editsRefused, nothingLeft, tooManyOpen } from './proposals/proposals.service.js';
import { invalidFields, notFound, type AppError } from '../../platform/basics/errors/app-error.js';
import { preconditionFailed } from '../../platform/http/envelope/preconditions.js';
import { tooManyStreams } from '../events/stream/event-streams.js';
import { needsModel } from './providers/offline/offline-provider.js';
import { tooManyDismissals, unknownIssue } from './analyses/dismissals.service.js';
import { textTooLong } from './checker/field-limits.js';
import { tooManyWords } from './dictionary/dictionary.service.js';
import { NO_MODEL, unknownRule } from './settings/account-settings.service.js';
import type { RouteRefusals } from '../../platform/openapi/route-decorators.js';

const VIEWER_ONLY = insufficientRight('editor', 'viewer');

const ANALYSED_ENOUGH = quotaExceeded({
  quota: 'analysesPerDay',
  limit: 200,
  used: 200,
  plan: 'free',
  requested: 1,
});

const UNKNOWN = invalidFields([
  {
    field: 'suggestionIds[0]',
    issue: 'is not a suggestion of this enhancement: iss_8Qm2xT0aWk3e9ZrLbD5uNg',
  },
]);

const OVERLAPPING = invalidFields([
  {
    field: 'suggestionIds[1]',
    issue: 'iss_2 overlaps iss_1: only one of the two can be applied',
  },
]);

/** Error for a field that needs `store: false`. */
export function onlyUnstored(field: string): AppError {
  return invalidFields([{ field, issue: 'needs store: false' }]);
}

const NOT_FOUND_QUOTE = editsRefused(
  3,
  [{ field: 'edits[0].quote', issue: 'does not occur in the base version' }],
  [{ field: 'edits[0].quote', text: 'Revenue grew by 13 %.' }],
);

export const PROPOSALS = {
  propose: [
    ['Edit does not apply', NOT_FOUND_QUOTE],
    ['Nothing left', nothingLeft(3, { rejected: 1 })],
    ['Too many open proposals', tooManyOpen('document')],
  ],
} satisfies RouteRefusals;

export const ANALYSES = {
  analyze: [
    ['Right too little', VIEWER_ONLY],
    ['Quota exceeded', ANALYSED_ENOUGH],
  ],
} satisfies RouteRefusals;

export const TEXT_ANALYSIS = {
  analyzeText: [
    ['Quota exceeded', ANALYSED_ENOUGH],
    ['Only for checks', onlyUnstored('ranges')],
    ['Text too long', textTooLong(70_000)],
  ],
} satisfies RouteRefusals;

export const ENHANCEMENTS = {
  enhance: [
    ['Right too little', VIEWER_ONLY],
    ['Quota exceeded', ANALYSED_ENOUGH],
    ['Needs a model', needsModel(['shorten'])],
  ],
  stream: [['Too many streams', tooManyStreams('account', 20)]],
  apply: [
    ['Right too little', VIEWER_ONLY],
    ['Changed in the meantime', preconditionFailed({ version: 4, etag: '"4"' })],
    ['Unknown id', UNKNOWN],
    ['Overlapping suggestions', OVERLAPPING],
    ['No suggestions yet', notMade(false)],
  ],
  accept: [
    ['Right too little', VIEWER_ONLY],
    ['Unknown id', UNKNOWN],
    ['No suggestions yet', notMade(false)],
  ],
  reject: [
    ['Right too little', VIEWER_ONLY],
    ['Unknown id', UNKNOWN],
    ['No suggestions yet', notMade(false)],
  ],
  withdraw: [['Not your proposal', notYours()]],
} satisfies RouteRefusals;

export const DISMISSALS = {
  dismiss: [
    ['Right too little', VIEWER_ONLY],
    ['Unknown id', invalidFields([unknownIssue('iss_unknown', 0)])],
    ['Too many items', tooManyDismissals()],
  ],
} satisfies RouteRefusals;

export const STYLE_RULES = {
  import: [['Nothing to import', nothingToImport()]],
  read: [['Unknown version', notFound('version')]],
  activate: [['Unknown version', notFound('version')]],
  dryRun: [['Unknown version', notFound('version')]],
} satisfies RouteRefusals;

export const DICTIONARY = {
  add: [['Too many items', tooManyWords()]],
} satisfies RouteRefusals;

export const SETTINGS = {
  change: [
    ['No model configured', NO_MODEL],
    ['Unknown rule', invalidFields([unknownRule('grammar.unknown', 0)])],
  ],
} satisfies RouteRefusals;
