interface Handlers {
  onopentag: (name: string, attributes: Record<string, string>) => void;
  onclosetag: () => void;
  ontext: (text: string) => void;
}

/**
 * Replaces the parser of `htmlparser2` in the dashboard (see `vite.config.mjs`): the browser has one. The parsed document
 * runs no scripts and loads nothing.
 */
export class Parser {
  constructor(private readonly handlers: Handlers) {}

  end(html: string): void {
    for (const node of new DOMParser().parseFromString(html, 'text/html').childNodes) {
      this.report(node);
    }
  }

  private report(node: Node): void {
    if (node instanceof Text) this.handlers.ontext(node.data);
    if (!(node instanceof Element)) return;
    const attributes = [...node.attributes].map(({ name, value }) => [name, value] as const);
    this.handlers.onopentag(node.localName, Object.fromEntries(attributes));
    for (const child of node.childNodes) this.report(child);
    this.handlers.onclosetag();
  }
}
