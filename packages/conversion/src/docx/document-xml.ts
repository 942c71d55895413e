/** Returns the value of the first such element if it is an integer or an id. */
export function attributeOf(xml: string, element: string): string | undefined {
  const at = xml.indexOf(`<${element} `);
  if (at < 0) return undefined;
  return /^[^>]*?\sw:val=["']([\w-]{1,100})["']/.exec(xml.slice(at, at + 300))?.[1];
}

/** Returns the id and inner XML of each such element. Elements do not nest. Takes linear time. */
export function elements(xml: string, name: string, id: string): [id: string, inner: string][] {
  const found: [string, string][] = [];
  const closing = `</${name}>`;
  const pattern = new RegExp(`<${name}\\s([^<>]{0,1000})>`, 'g');
  for (let tag = pattern.exec(xml); tag; tag = pattern.exec(xml)) {
    const own = new RegExp(`(?:^|\\s)${id}=["']([^"'<>]{1,100})["']`).exec(tag[1] ?? '')?.[1];
    if (tag[1]?.endsWith('/')) continue;
    const end = xml.indexOf(closing, pattern.lastIndex);
    if (end < 0) break;
    if (own !== undefined) found.push([own, xml.slice(pattern.lastIndex, end)]);
    pattern.lastIndex = end;
  }
  return found;
}

/** Yields paragraphs with properties, and where the properties end. Takes linear time. */
export function* paragraphsOf(
  document: string,
): Generator<{ properties: string; end: number; hasText: boolean }> {
  const beginning = /<w:p(?:\s[^<>]{0,1000})?>\s{0,100}<w:pPr>/g;
  const closing = '</w:pPr>';
  const closingFrom = nextIn(document, /<\/w:pPr>/g);
  const paragraphEndFrom = nextIn(document, /<\/w:p>/g);
  const textFrom = nextIn(document, /<w:(?:t|drawing|pict)[\s>]/g);
  for (let tag = beginning.exec(document); tag; tag = beginning.exec(document)) {
    const at = closingFrom(beginning.lastIndex);
    if (at === Infinity) return;
    const properties = document.slice(beginning.lastIndex, at);
    const end = at + closing.length;
    beginning.lastIndex = end;
    // Tracked changes nest the old properties in the new ones.
    if (properties.includes('<w:pPrChange')) continue;
    yield { properties, end, hasText: textFrom(end) < paragraphEndFrom(end) };
  }
}

/**
 * Returns a function that finds the next match after an offset. Offsets must increase, so each position is searched once.
 */
export function nextIn(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      pattern.lastIndex = from;
      found = pattern.exec(text)?.index ?? Infinity;
    }
    return found;
  };
}
