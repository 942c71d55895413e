// The method of the clients for each operation of the API, as in packages/client/src/resources. The Python client and
// the samples in the documentation are generated from this table.
import { readFileSync } from 'node:fs';
import { isForPeople } from '../docs-site/reference/api-document.mjs';

/** Verbs of operation IDs, and the methods of the clients that send these operations. */
const METHODS = {
  create: 'create',
  list: 'list',
  read: 'get',
  patch: 'update',
  replace: 'replace',
  delete: 'delete',
};

/** Operation ID to resource path and method in TypeScript, except for those like `createTemplate`: `templates.create`. */
const EXCEPTIONS = {
  readMe: 'me',

  countDocuments: 'documents.facets',
  copyDocument: 'documents.copy',
  publishDocument: 'documents.publish',
  unpublishDocument: 'documents.unpublish',
  discardDocumentChanges: 'documents.discard',
  listPublications: 'documents.publications',
  checkPublication: 'documents.publicationChecks',
  putSchedule: 'documents.schedule',
  deleteSchedule: 'documents.unschedule',
  readPublishing: 'account.publishing',
  putPublishing: 'account.updatePublishing',
  restoreDocument: 'documents.restore',
  editDocument: 'documents.edit',
  batchDocuments: 'documents.batch',
  importDocument: 'documents.import',
  exportDocument: 'documents.export',
  analyzeDocument: 'documents.analyze',
  enhanceDocument: 'documents.enhance',
  proposeChanges: 'documents.propose',
  listQuality: 'documents.quality',

  readDocumentByExternalId: 'documents.byExternalId.get',
  putDocumentByExternalId: 'documents.byExternalId.put',
  deleteDocumentByExternalId: 'documents.byExternalId.delete',

  listVersions: 'documents.versions.list',
  readVersion: 'documents.versions.get',
  diffVersion: 'documents.versions.diff',
  restoreVersion: 'documents.versions.restore',

  listAnalyses: 'documents.analyses.list',
  readAnalysis: 'documents.analyses.get',

  listEnhancements: 'documents.enhancements.list',
  readEnhancement: 'documents.enhancements.get',
  applySuggestions: 'documents.enhancements.apply',
  acceptSuggestions: 'documents.enhancements.accept',
  rejectSuggestions: 'documents.enhancements.reject',
  withdrawProposal: 'documents.enhancements.withdraw',
  streamEnhancement: 'documents.enhancements.stream',

  dismissIssues: 'documents.dismissals.create',
  listDismissals: 'documents.dismissals.list',
  removeDismissal: 'documents.dismissals.delete',

  readPresence: 'documents.presence.get',
  holdPresence: 'documents.presence.hold',
  leaveDocument: 'documents.presence.leave',

  readCollectionAccess: 'collections.access',
  setCollectionAccess: 'collections.setAccess',
  exportCollection: 'collections.export',

  previewRelease: 'releases.preview',
  publishRelease: 'releases.publish',
  cancelRelease: 'releases.cancel',

  previewTemplate: 'templates.preview',

  listTemplateVersions: 'templates.versions.list',
  readTemplateVersion: 'templates.versions.get',
  restoreTemplateVersion: 'templates.versions.restore',

  registerWebhook: 'webhooks.create',
  testWebhook: 'webhooks.test',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  recoverDeliveries: 'webhooks.recover',

  listDeliveries: 'webhooks.deliveries.list',
  readDelivery: 'webhooks.deliveries.get',
  redeliver: 'webhooks.deliveries.redeliver',
  listAllDeliveries: 'deliveries.list',

  listEventTypes: 'events.types',
  streamEvents: 'events.stream',

  revokeKey: 'keys.revoke',
  rotateKey: 'keys.rotate',
  createToken: 'tokens.create',

  listMemberNames: 'members.list',

  createServiceAccount: 'serviceAccounts.create',
  listServiceAccounts: 'serviceAccounts.list',
  readServiceAccount: 'serviceAccounts.get',
  patchServiceAccount: 'serviceAccounts.update',
  deleteServiceAccount: 'serviceAccounts.delete',

  exportAccount: 'account.export',
  importAccount: 'account.import',

  analyzeText: 'analysis.analyze',
  listAnalysisRules: 'analysis.rules',
  readAnalysisSettings: 'analysis.settings',
  patchAnalysisSettings: 'analysis.updateSettings',

  readDictionary: 'dictionary.get',
  addWords: 'dictionary.add',
  removeWords: 'dictionary.remove',

  createStyleRules: 'styleRules.create',
  listStyleRules: 'styleRules.list',
  readStyleRules: 'styleRules.get',
  testStyleRules: 'styleRules.test',
  importStyleRules: 'styleRules.import',
  activateStyleRules: 'styleRules.activate',
  deactivateStyleRules: 'styleRules.deactivate',
  dryRunStyleRules: 'styleRules.dryRun',

  cancelJob: 'jobs.cancel',
  readJobResult: 'jobs.result',

  readUsageSeries: 'usage.series',

  listAuditEntries: 'audit.list',
  readAuditEntry: 'audit.get',

  checkLiveness: 'service.live',
  checkReadiness: 'service.ready',
  readMetrics: 'service.metrics',
  readApiDocument: 'service.apiDocument',
};

/** Operation ID to resource path and method in TypeScript. */
export const SDK_OPERATIONS = Object.fromEntries(
  operations().map(({ operationId, tags: [tag] }) => [
    operationId,
    EXCEPTIONS[operationId] ?? usualCall(operationId, tag),
  ]),
);

function operations() {
  const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => !isForPeople(operation));
}

/** Returns `templates.update` for `patchTemplate`. */
function usualCall(operationId, tag) {
  const resource = tag.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const [, verb, noun] = /^([a-z]+)(\w+)$/.exec(operationId);
  const plural = resource[0].toUpperCase() + resource.slice(1);
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  if (verb in METHODS && noun === (verb === 'list' ? plural : singular)) {
    return `${resource}.${METHODS[verb]}`;
  }
  throw new Error(`scripts/sdk-operations.mjs has no method for ${operationId}.`);
}

/** Keywords of Python that are names of methods or fields. They get a trailing underscore: `documents.import_`. */
const PYTHON_KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Returns the Python name: `rotateSecret` is `rotate_secret`, `import` is `import_`. */
export function pythonName(name) {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return PYTHON_KEYWORDS.has(snake) ? `${snake}_` : snake;
}

/** Returns the call of an operation as `client.…` in TypeScript and Python, without arguments. */
export function callsOf(operationId) {
  const path = SDK_OPERATIONS[operationId];
  return {
    typescript: `client.${path}`,
    python: `client.${path.split('.').map(pythonName).join('.')}`,
  };
}
