import { Stack, Text } from '@mantine/core';
import type { components } from '../../../api/v1-schema.js';
import { countOf } from '../../../components/numbers.js';
import classes from './history.module.css';

type Hunk = components['schemas']['Hunk'];

/** Number of hunks to show at first. */
const SHOWN_HUNKS = 200;

/** Shows the changed lines of the Markdown, by words. */
export function MarkdownComparison({ hunks }: { hunks: readonly Hunk[] }) {
  return (
    <Stack>
      {hunks.slice(0, SHOWN_HUNKS).map((hunk) => (
        <OneHunk key={`${String(hunk.fromLine)}-${String(hunk.toLine)}`} hunk={hunk} />
      ))}
      {hunks.length > SHOWN_HUNKS && (
        <Text size="sm">{countOf(hunks.length - SHOWN_HUNKS, 'more change')} not shown.</Text>
      )}
    </Stack>
  );
}

function OneHunk({ hunk: { toLine, toLines, segments } }: { hunk: Hunk }) {
  const last = toLine + Math.max(0, toLines - 1);
  return (
    <figure className={classes.hunk}>
      <figcaption>
        {last > toLine ? `Lines ${String(toLine)} to ${String(last)}` : `Line ${String(toLine)}`}
      </figcaption>
      <pre tabIndex={0}>
        {segments.map(({ type, text }, index) => {
          if (type === 'added') return <ins key={index}>{text}</ins>;
          if (type === 'removed') return <del key={index}>{text}</del>;
          return <span key={index}>{text}</span>;
        })}
      </pre>
    </figure>
  );
}
