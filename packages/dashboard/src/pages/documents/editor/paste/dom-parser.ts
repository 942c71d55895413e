import { cut, STYLES } from './html-size.js';

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
    const { childNodes } = new DOMParser().parseFromString(
      withRenamedAttributes(html),
      'text/html',
    );
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

const PREFIX = 'data-pasted-';

/** The policy of the page forbids styles and handlers, and the browser reports those in parsed documents too. */
function withRenamedAttributes(html: string): string {
  return cut(html, STYLES).replaceAll(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replaceAll(/(?<=[\s"'])(?:style|on[a-z]+)(?=\s*=)/gi, `${PREFIX}$&`),
  );
}
