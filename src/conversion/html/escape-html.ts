const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // As themselves they would come back as line feeds.
  '\r': '&#13;',
};

/** Text as it stands between tags, or in an attribute within quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? character);
}
