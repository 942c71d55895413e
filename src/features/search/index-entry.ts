import { indexedText } from './indexed-text.js';
import { textConfiguration } from './text-configuration.js';

/** The fields of a document that are indexed, with their columns. Words in titles rank above words in contents. */
export interface SearchedFields {
  titles: Readonly<Record<string, string>>;
  contents: Readonly<Record<string, string>>;
}

export const SEARCHED_FIELDS = Symbol('SearchedFields');

/** What is indexed of a document. */
export type Indexed = 'texts' | 'title' | 'nothing';

/** A row of `documents` with the searched fields under their names. */
export interface SearchedDocument {
  account_id: string;
  document_id: string;
  created_at: Date;
  ai_settings: string;
  [field: string]: unknown;
}

/** Returns the JSON text that `index_texts` takes for a document. Takes 0.1 s for a long content. */
export function indexEntry(
  document: SearchedDocument,
  what: Indexed,
  { titles, contents }: SearchedFields,
): string {
  const title = indexedText(what === 'nothing' ? '' : textIn(document, titles));
  const content = indexedText(what === 'texts' ? textIn(document, contents) : '');
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
export function searchedLength(document: SearchedDocument, fields: SearchedFields): number {
  return textIn(document, { ...fields.titles, ...fields.contents }).length;
}

function textIn(document: SearchedDocument, columns: Readonly<Record<string, string>>): string {
  return Object.keys(columns)
    .map((name) => document[name] as string)
    .join('\n');
}
