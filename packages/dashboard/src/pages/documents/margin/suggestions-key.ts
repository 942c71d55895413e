/** Key of the newest set of suggestions for a document. */
export function suggestionsKey(accountId: string, documentId: string) {
  return [accountId, 'documents', 'suggestions', documentId];
}
