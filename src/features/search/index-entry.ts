import { DOCUMENT_FIELDS } from '../documents/document-fields.js';
import { fieldsWith } from '../content/versions/field-map.js';
import { indexedText } from './indexed-text.js';
import { textConfiguration } from './text-configuration.js';

const TITLES = fieldsWith(DOCUMENT_FIELDS, 'searchable', 'title');
const CONTENTS = fieldsWith(DOCUMENT_FIELDS, 'searchable', 'content');
export const SEARCHED = [...TITLES, ...CONTENTS];

/** What is indexed of a document. */
export type Indexed = 'texts' | 'title' | 'nothing';

/** The texts of a document that searches look at. */
export interface SearchedDocument extends Record<(typeof SEARCHED)[number], string> {
  account_id: string;
  document_id: string;
  created_at: Date;
  ai_settings: string;
}

/** Returns the JSON text that `index_texts` takes for a document. Takes 0.1 s for a long content. */
export function indexEntry(document: SearchedDocument, what: Indexed): string {
  const title = indexedText(what === 'nothing' ? '' : textIn(document, TITLES));
  const content = indexedText(what === 'texts' ? textIn(document, CONTENTS) : '');
  const { language } = JSON.parse(document.ai_settings) as { language?: unknown };
  return JSON.stringify({
    id: document.document_id,
    accountId: document.account_id,
    createdAt: document.created_at,
    configuration: textConfiguration(language),
    titleOnly: what !== 'texts',
    title: title.spellings,
    content: content.spellings,
    terms: [...new Set([...title.terms, ...content.terms])],
  });
}

/** Returns how many UTF-16 units of a document {@link indexEntry} reads. */
export function searchedLength(document: SearchedDocument): number {
  return SEARCHED.reduce((sum, name) => sum + document[name].length, 0);
}

function textIn(document: SearchedDocument, names: readonly (typeof SEARCHED)[number][]): string {
  return names.map((name) => document[name]).join('\n');
}
