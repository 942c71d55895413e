// What the samples of each operation send. Parameters in paths come from the examples of the API document.

/** Values of parameters in paths that have no example in the API document. */
export const PATH_VALUES = {
  number: 1,
  version: 1,
  issueId: 'iss_8Qm2xT0aWk3e9ZrLbD5uNg',
};

const RULE = {
  id: 'plain-words',
  kind: 'replacement',
  severity: 'warning',
  from: ['utilize', 'utilise'],
  to: 'use',
};
const SUGGESTION = 'iss_8Qm2xT0aWk3e9ZrLbD5uNg';

/**
 * `query` and `body` of the request, if not the required members of the body with their examples; `file` is a file that is uploaded, `saveAs` the file that the response is saved in, and
 * `stream` marks responses that arrive piece by piece.
 */
export const SAMPLE_INPUTS = {
  importAccount: { file: 'account.ndjson' },
  listAnalysisRules: { query: { language: 'en', search: 'apostrophe' } },
  patchAnalysisSettings: { body: { disabledRules: ['grammar.less-fewer'] } },
  analyzeText: { body: { content: 'The results was definately better.', language: 'en' } },
  listAuditEntries: { query: { action: 'document.create', limit: 20 } },
  listAllDeliveries: { query: { status: 'failed', limit: 20 } },
  addWords: { body: { words: ['Kubernetes', 'upsert'] } },
  removeWords: { body: { words: ['upsert'] } },
  createDocument: {
    body: {
      title: 'Quarterly report',
      type: 'report',
      content: '# Results\n\nRevenue grew by 12 %.',
      metadata: { tags: ['finance', 'q3'], department: 'Sales' },
    },
  },
  listDocuments: { query: { q: 'revenue', status: 'draft', limit: 20 } },
  batchDocuments: {
    body: {
      operations: [
        { op: 'create', document: { title: 'Meeting notes' } },
        { op: 'upsert', externalId: 'crm/4711', document: { title: 'Price list' } },
      ],
    },
  },
  putDocumentByExternalId: { body: { title: 'Price list', content: '# Prices' } },
  countDocuments: { query: { status: 'draft' } },
  importDocument: { file: 'report.md' },
  patchDocument: { body: { title: 'Quarterly report, final', status: 'in_review' } },
  replaceDocument: { body: { title: 'Quarterly report', content: '# Results\n\nRevenue fell.' } },
  analyzeDocument: { body: { checks: ['spelling', 'grammar'] } },
  copyDocument: { body: { title: 'Quarterly report, second half' } },
  editDocument: { body: { edits: [{ op: 'replace', find: '12 %', with: '13 %' }] } },
  proposeChanges: {
    body: { edits: [{ quote: '12 %', replacement: '13 %' }], message: 'The final figure.' },
  },
  enhanceDocument: { body: { goals: ['correct'] } },
  applySuggestions: { body: { suggestionIds: 'all', safe: true } },
  rejectSuggestions: { body: { suggestionIds: [SUGGESTION] } },
  streamEnhancement: { stream: true },
  exportDocument: { query: { format: 'pdf' }, saveAs: 'report.pdf' },
  diffVersion: { path: { number: 2 }, query: { against: 1 } },
  createRelease: {
    body: {
      title: 'Autumn campaign',
      publishAt: '2030-01-15T09:00:00+01:00',
      timeZone: 'Europe/Berlin',
      items: [{ id: 'doc_01kam3k0v5e0rbk1y2c9q4w7zt', action: 'publish' }],
    },
  },
  patchRelease: { body: { publishAt: '2030-01-16T09:00:00+01:00' } },
  listReleases: { query: { status: 'scheduled', sort: 'publish_at', order: 'asc' } },
  putSchedule: { body: { publishAt: '2030-01-15T09:00:00+01:00', timeZone: 'Europe/Berlin' } },
  listEvents: { query: { after: 'start', limit: 100 } },
  streamEvents: { query: { types: 'document.created,document.updated' }, stream: true },
  readJobResult: { saveAs: 'result.ndjson' },
  rotateKey: { body: { gracePeriodSeconds: 3600 } },
  createToken: { body: { scopes: ['documents:read'], documents: { tags: ['customer-42'] } } },
  listRequests: { query: { status: '4xx', limit: 20 } },
  createStyleRules: { body: { rules: [RULE] } },
  importStyleRules: {
    body: {
      files: [
        {
          path: 'Acme/Terms.yml',
          content:
            'extends: substitution\nmessage: "Use %s."\nlevel: error\nswap:\n  utilize: use\n',
        },
      ],
    },
  },
  testStyleRules: { body: { rules: [RULE], content: 'Please utilize the red lever.' } },
  createTemplate: {
    body: {
      name: 'Meeting notes',
      title: '{{topic}}: notes of {{date}}',
      content: '# {{topic}}\n\nDate: {{date}}\n',
      variables: [{ name: 'topic', required: true }, { name: 'date' }],
    },
  },
  listTemplates: { query: { q: 'notes', limit: 20 } },
  patchTemplate: { body: { content: 'Dear {{client}},\n' } },
  replaceTemplate: {
    body: { name: 'Greeting', content: 'Dear {{client}},\n', variables: [{ name: 'client' }] },
  },
  previewTemplate: { body: { templateVariables: { client: 'Ada Lovelace' } } },
  readUsageSeries: { query: { metric: 'requests', step: 'hour' } },
  listWebhooks: { query: { status: 'active' } },
  patchWebhook: { body: { events: ['document.*'], payload: 'thin' } },
  listDeliveries: { query: { status: 'failed' } },
};
