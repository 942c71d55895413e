import { Fragment } from 'react';
import { highlightParts } from './highlight-parts.js';

/** A highlight with the matches marked. */
export function Highlight({ html }: { html: string }) {
  return highlightParts(html).map(({ text, marked }, index) =>
    marked ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
  );
}
