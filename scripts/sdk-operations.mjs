// The method of the clients for each operation of the API, as in packages/client/src/resources. The Python client and
// the samples in the documentation are generated from this table.

/** Operation ID to resource path and method in TypeScript. */
export const SDK_OPERATIONS = {
  readMe: 'me',

  createDocument: 'documents.create',
  listDocuments: 'documents.list',
  countDocuments: 'documents.facets',
  readDocument: 'documents.get',
  patchDocument: 'documents.update',
  replaceDocument: 'documents.replace',
  copyDocument: 'documents.copy',
  deleteDocument: 'documents.delete',
  restoreDocument: 'documents.restore',
  editDocument: 'documents.edit',
  batchDocuments: 'documents.batch',
  importDocument: 'documents.import',
  exportDocument: 'documents.export',
  analyzeDocument: 'documents.analyze',
  enhanceDocument: 'documents.enhance',
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
  streamEnhancement: 'documents.enhancements.stream',

  dismissIssues: 'documents.dismissals.create',
  listDismissals: 'documents.dismissals.list',
  removeDismissal: 'documents.dismissals.delete',

  readPresence: 'documents.presence.get',
  holdPresence: 'documents.presence.hold',
  leaveDocument: 'documents.presence.leave',

  createTemplate: 'templates.create',
  listTemplates: 'templates.list',
  readTemplate: 'templates.get',
  patchTemplate: 'templates.update',
  replaceTemplate: 'templates.replace',
  deleteTemplate: 'templates.delete',
  previewTemplate: 'templates.preview',

  listTemplateVersions: 'templates.versions.list',
  readTemplateVersion: 'templates.versions.get',
  restoreTemplateVersion: 'templates.versions.restore',

  registerWebhook: 'webhooks.create',
  listWebhooks: 'webhooks.list',
  readWebhook: 'webhooks.get',
  patchWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  testWebhook: 'webhooks.test',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  recoverDeliveries: 'webhooks.recover',

  listDeliveries: 'webhooks.deliveries.list',
  readDelivery: 'webhooks.deliveries.get',
  redeliver: 'webhooks.deliveries.redeliver',
  listAllDeliveries: 'deliveries.list',

  listEvents: 'events.list',
  readEvent: 'events.get',
  listEventTypes: 'events.types',
  streamEvents: 'events.stream',

  createKey: 'keys.create',
  listKeys: 'keys.list',
  readKey: 'keys.get',
  patchKey: 'keys.update',
  revokeKey: 'keys.revoke',
  rotateKey: 'keys.rotate',

  readAccount: 'account.get',
  patchAccount: 'account.update',
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

  listJobs: 'jobs.list',
  readJob: 'jobs.get',
  cancelJob: 'jobs.cancel',
  readJobResult: 'jobs.result',

  readUsage: 'usage.get',
  readUsageSeries: 'usage.series',

  listRequests: 'requests.list',
  readRequest: 'requests.get',

  listAuditEntries: 'audit.list',
  readAuditEntry: 'audit.get',

  checkLiveness: 'service.live',
  checkReadiness: 'service.ready',
  readMetrics: 'service.metrics',
  readApiDocument: 'service.apiDocument',
};

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
