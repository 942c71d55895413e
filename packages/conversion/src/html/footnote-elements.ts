import type { Attributes } from './elements.js';

/**
 * How HTML shows footnotes: as our exports and GitHub write it (`data-footnote-ref`), as pandoc and markdown-it do
 * (`footnote-ref`), or with the roles of DPUB-ARIA.
 */
const REFERENCE = { data: 'data-footnote-ref', role: 'doc-noteref', named: /^footnote-ref$/ };
const BACK_LINK = {
  data: 'data-footnote-backref',
  role: 'doc-backlink',
  named: /^(?:data-)?footnote-back(?:ref)?$/,
};
const NOTES = { data: 'data-footnotes', role: 'doc-endnotes', named: /^footnotes$/ };

type Sign = typeof REFERENCE;

/** Returns the id of the footnote that a link refers to, or `undefined` for any other link. */
export function footnoteIdOf(attributes: Attributes): string | undefined {
  const { href = '' } = attributes;
  return has(attributes, REFERENCE) && href.startsWith('#') ? href.slice(1) : undefined;
}

/** Returns true for the link from a footnote back to the text. */
export function isBackLink(attributes: Attributes): boolean {
  return has(attributes, BACK_LINK);
}

/** Returns true for the element around all footnotes. */
export function containsFootnotes(attributes: Attributes): boolean {
  return has(attributes, NOTES);
}

function has(attributes: Attributes, { data, role, named }: Sign): boolean {
  const { class: classes = '' } = attributes;
  return (
    data in attributes ||
    attributes['role'] === role ||
    classes.split(/\s+/).some((name) => named.test(name))
  );
}
