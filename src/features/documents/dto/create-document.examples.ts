import type { CreateDocumentDto } from './write-document.dto.js';

type Example = { summary: string; value: CreateDocumentDto };

/** Bodies of `POST /v1/documents` that the API document shows. */
export const CREATE_DOCUMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  titleOnly: { summary: 'Only what is required', value: { title: 'Meeting notes' } },
  report: {
    summary: 'A report with metadata and AI settings',
    value: {
      title: 'Quarterly report',
      type: 'report',
      content: '# Results\n\nRevenue grew by 12 %.',
      metadata: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
      aiSettings: { autoEnhance: true, suggestionLevel: 'moderate', language: 'en' },
    },
  },
  ownMetadata: {
    summary: 'Metadata with keys of your own',
    value: {
      title: 'Heat pumps in old buildings',
      type: 'research',
      content: 'Abstract\n\nWe measured 31 houses over two winters.',
      metadata: { tags: ['energy'], reviewers: [{ name: 'Grace', round: 2 }], confidential: false },
    },
  },
};
