import { memo, useDeferredValue, useMemo, type ReactNode } from 'react';
import { markdownTree, type Block, type Inline, type ListItem } from './markdown-tree.js';
import classes from './markdown-preview.module.css';

/** Blocks of a long text that are shown: more would hold up typing. */
const SHOWN_BLOCKS = 3_000;

interface MarkdownPreviewProps {
  markdown: string;
  /** The name of the region. */
  name?: string;
}

/** What a Markdown text looks like, without HTML and without pictures of other sites: those are links. */
export const MarkdownPreview = memo(function MarkdownPreview({
  markdown,
  name = 'Preview',
}: MarkdownPreviewProps) {
  const deferred = useDeferredValue(markdown);
  const blocks = useMemo(() => markdownTree(deferred), [deferred]);
  return (
    <div className={classes.preview} role="region" aria-label={name} tabIndex={0}>
      {blocks.length === 0 && <p className={classes.nothing}>Nothing is written yet.</p>}
      <Blocks blocks={blocks.slice(0, SHOWN_BLOCKS)} />
      {blocks.length > SHOWN_BLOCKS && (
        <p className={classes.nothing}>
          The preview ends here: the text is too long for all of it.
        </p>
      )}
    </div>
  );
});

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => <OneBlock key={index} block={block} />);
}

/** Headings of the text begin at h2 of the page, which has its own h1. */
const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function OneBlock({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Heading = HEADINGS[block.level - 1] ?? 'h6';
      return (
        <Heading data-level={block.level}>
          <Inlines inlines={block.children} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Inlines inlines={block.children} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return block.start === undefined ? (
        <ul>
          <Items items={block.items} />
        </ul>
      ) : (
        <ol start={block.start}>
          <Items items={block.items} />
        </ol>
      );
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case 'html':
      return <pre className={classes.asWritten}>{block.text}</pre>;
    case 'table':
      return <TableOf head={block.head} rows={block.rows} />;
    case 'rule':
      return <hr />;
  }
}

function Items({ items }: { items: readonly ListItem[] }) {
  return items.map(({ done, blocks }, index) => (
    <li key={index} data-task={done === undefined ? undefined : true}>
      {done !== undefined && (
        <span role="img" aria-label={done ? 'Done' : 'To do'} className={classes.task}>
          {done ? '☑' : '☐'}
        </span>
      )}
      <Blocks blocks={blocks} />
    </li>
  ));
}

function TableOf({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <div className={classes.tableFrame}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                <Inlines inlines={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {head.map((_, column) => (
                <td key={column}>
                  <Inlines inlines={row[column] ?? []} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, index) => <OneInline key={index} inline={inline} />);
}

function OneInline({ inline }: { inline: Inline }): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      );
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      );
    case 'strike':
      return (
        <del>
          <Inlines inlines={inline.children} />
        </del>
      );
    case 'link':
    case 'image':
      return <LinkOf inline={inline} />;
  }
}

function LinkOf({ inline }: { inline: Inline & { kind: 'link' | 'image' } }) {
  const shown = (
    <>
      {inline.kind === 'image' && 'Image: '}
      <Inlines inlines={inline.children} />
      {inline.children.length === 0 && inline.href}
    </>
  );
  if (inline.href === undefined) return shown;
  return (
    <a href={inline.href} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  );
}
