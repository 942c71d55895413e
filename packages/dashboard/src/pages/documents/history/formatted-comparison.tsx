import { Button } from '@mantine/core';
import { readMarkdown } from '@document-service/conversion/markdown/markdown-reader';
import type { Block } from '@document-service/conversion/rich-text/rich-text';
import { useMemo, useState } from 'react';
import { countOf } from '../../../components/numbers.js';
import { RichBlocks } from './rich-blocks.js';
import { diffBlocks, fold, type BlockChange } from './rich-diff.js';
import classes from './history.module.css';

interface FormattedComparisonProps {
  /** Markdown of the older version. Without it, the newer one is shown alone. */
  before: string | undefined;
  after: string;
}

/** Shows a version as formatted text, with what was added and removed since another one. */
export default function FormattedComparison({ before, after }: FormattedComparisonProps) {
  const blocks = useMemo(() => {
    const fresh = blocksOf(after);
    return diffBlocks(before === undefined ? fresh : blocksOf(before), fresh);
  }, [before, after]);
  const sections = before === undefined ? [{ isFolded: false, blocks }] : fold(blocks);
  return (
    <div className={classes.paper} role="region" aria-label="Formatted text" tabIndex={0}>
      {sections.map(({ isFolded, blocks: some }, index) =>
        isFolded ? <Folded key={index} blocks={some} /> : <RichBlocks key={index} blocks={some} />,
      )}
    </div>
  );
}

/** Reads Markdown, with its footnotes at the end. */
function blocksOf(content: string): Block[] {
  const { blocks, notes } = readMarkdown(content);
  if (!notes) return blocks;
  const items = notes.map((note) => ({ blocks: note.blocks }));
  return [...blocks, { kind: 'rule' }, { kind: 'list', start: 1, items }];
}

function Folded({ blocks }: { blocks: readonly BlockChange[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <RichBlocks blocks={blocks} />;
  return (
    <Button
      className={classes.folded ?? ''}
      size="compact-sm"
      variant="default"
      onClick={() => {
        setOpen(true);
      }}
    >
      Show {countOf(blocks.length, 'unchanged paragraph')}
    </Button>
  );
}
