interface Handlers {
  onopentag: (name: string, attributes: Record<string, string>) => void;
  onclosetag: () => void;
  ontext: (text: string) => void;
}

/**
 * Replaces the parser of `htmlparser2` in the dashboard (see its `vite.config.mjs`) with the browser's. The parsed
 * document runs no scripts and loads nothing.
 */
export class Parser {
  constructor(private readonly handlers: Handlers) {}

  end(html: string): void {
    const { childNodes } = new DOMParser().parseFromString(withoutPolicyReports(html), 'text/html');
    for (const node of childNodes) this.report(node);
  }

  private report(node: Node): void {
    if (node instanceof Text) this.handlers.ontext(node.data);
    if (!(node instanceof Element)) return;
    const attributes = [...node.attributes].map(({ name, value }) => [
      name === `${PREFIX}style` ? 'style' : name,
      value,
    ]);
    this.handlers.onopentag(
      node.localName,
      Object.fromEntries(attributes) as Record<string, string>,
    );
    for (const child of node.childNodes) this.report(child);
    this.handlers.onclosetag();
  }
}

/**
 * Replaces the function of `entities`, whose table of names takes 20 KB. Returns the character of a reference such as
 * `&amp;`, or the reference if it is unknown.
 */
export function decodeHTMLStrict(reference: string): string {
  // A parser drops leading spaces.
  const { body } = new DOMParser().parseFromString(`.${reference}`, 'text/html');
  const decoded = body.textContent.slice(1);
  // `&notit;` would become `¬it;`.
  return decoded.endsWith(';') && decoded !== ';' ? reference : decoded;
}

const PREFIX = 'data-pasted-';

/**
 * The policy of the page forbids styles and handlers, and browsers report those in parsed documents, too. `noembed` is
 * parsed like `style`.
 */
function withoutPolicyReports(html: string): string {
  return html
    .replaceAll(/(<\/?)style(?=[\s/>])/gi, '$1noembed')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
      tag.replaceAll(/(?<=[\s/"'])(?:style|on[a-z]+)(?=\s*=)/gi, `${PREFIX}$&`),
    );
}
