interface HighlightPart {
  text: string;
  marked: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/**
 * Returns the parts of a highlight of the API, whose only markup is `<mark>`. They are shown as text, so other markup
 * would never run.
 */
export function highlightParts(html: string): HighlightPart[] {
  return html
    .split(/(<mark>.*?<\/mark>)/s)
    .filter((part) => part !== '')
    .map((part) => {
      const [, marked] = /^<mark>(.*)<\/mark>$/s.exec(part) ?? [];
      return { text: withoutEntities(marked ?? part), marked: marked !== undefined };
    });
}

function withoutEntities(html: string): string {
  return html.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
