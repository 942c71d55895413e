import type {
  Block,
  Inline,
  ListItem,
  Marks,
  TableCell,
} from '@document-service/conversion/rich-text/rich-text';
import { Fragment, type ReactNode } from 'react';
import type {
  BlockChange,
  Change,
  InlineChange,
  ItemChange,
  MixedBlock,
  RowChange,
} from './rich-diff.js';
import classes from './rich-blocks.module.css';

/** Shows formatted blocks with what was added and removed. */
export function RichBlocks({ blocks }: { blocks: readonly BlockChange[] }) {
  return blocks.map((one, index) => (
    <Fragment key={index}>
      {one.change === 'inside' ? (
        <Mixed block={one.block} />
      ) : (
        <Marked change={one.change} isBlock>
          <Plain block={one.block} />
        </Marked>
      )}
    </Fragment>
  ));
}

interface MarkedProps {
  change: Change;
  isBlock?: boolean;
  children: ReactNode;
}

function Marked({ change, isBlock = false, children }: MarkedProps) {
  if (change === 'same') return children;
  const Element = change === 'added' ? 'ins' : 'del';
  return <Element {...(isBlock && { className: classes.block })}>{children}</Element>;
}

function sameBlocks(blocks: readonly Block[]): BlockChange[] {
  return blocks.map((block) => ({ change: 'same', block }));
}

function sameInlines(inlines: readonly Inline[]): InlineChange[] {
  return inlines.map((inline) => ({ change: 'same', inline }));
}

/** A block of one version. */
function Plain({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return <Mixed block={{ ...block, inlines: sameInlines(block.inlines) }} />;
    case 'quote':
      return <Mixed block={{ kind: 'quote', blocks: sameBlocks(block.blocks) }} />;
    case 'list':
      return (
        <Mixed block={{ ...block, items: block.items.map((item) => ({ change: 'same', item })) }} />
      );
    case 'code':
      return <Mixed block={{ kind: 'code', lines: [{ change: 'same', text: block.text }] }} />;
    case 'table':
      return (
        <Mixed
          block={{
            kind: 'table',
            rows: block.rows.map((cells) => ({ change: 'same', cells })),
          }}
        />
      );
    case 'rule':
      return <hr />;
  }
}

function Mixed({ block }: { block: MixedBlock }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines inlines={block.inlines} />
        </p>
      );
    case 'heading':
      return (
        // The headings of the text are no headings of the page.
        <p className={classes.heading} data-level={block.level} dir="auto">
          <Inlines inlines={block.inlines} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <RichBlocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List {...block} />;
    case 'code':
      return (
        <pre tabIndex={0} aria-label="Code" role="region">
          {block.lines.map(({ change, text }, index) => (
            <Marked key={index} change={change}>
              {`${text}\n`}
            </Marked>
          ))}
        </pre>
      );
    case 'table':
      return (
        <div className={classes.table}>
          <table>
            <tbody>
              {block.rows.map((row, index) => (
                <Row key={index} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function List({ start, items }: { start: number | undefined; items: readonly ItemChange[] }) {
  const content = items.map((item, index) => (
    <li key={index}>
      {item.change === 'inside' ? (
        <>
          <Checkbox {...item.checked} />
          <RichBlocks blocks={item.blocks} />
        </>
      ) : (
        <Marked change={item.change} isBlock>
          <Item item={item.item} />
        </Marked>
      )}
    </li>
  ));
  return start === undefined ? <ul>{content}</ul> : <ol start={start}>{content}</ol>;
}

function Item({ item: { blocks, checked } }: { item: ListItem }) {
  return (
    <>
      <Checkbox before={checked} after={checked} />
      <RichBlocks blocks={sameBlocks(blocks)} />
    </>
  );
}

interface CheckboxProps {
  before: boolean | undefined;
  after: boolean | undefined;
}

/** A task's box, or both if it changed. */
function Checkbox({ before, after }: CheckboxProps) {
  if (before === after) return <Box isChecked={after} />;
  return (
    <>
      <del>
        <Box isChecked={before} />
      </del>
      <ins>
        <Box isChecked={after} />
      </ins>
    </>
  );
}

function Box({ isChecked }: { isChecked: boolean | undefined }) {
  if (isChecked === undefined) return null;
  return (
    <span className={classes.box} role="img" aria-label={isChecked ? 'Done' : 'Not done'}>
      {isChecked ? '☑' : '☐'}
    </span>
  );
}

function Row({ row }: { row: RowChange }) {
  if (row.change === 'inside') {
    return (
      <tr>
        {row.cells.map((blocks, index) => (
          <td key={index}>
            <RichBlocks blocks={blocks} />
          </td>
        ))}
      </tr>
    );
  }
  return (
    <tr>
      {row.cells.map(({ blocks }: TableCell, index) => (
        <td key={index}>
          <Marked change={row.change} isBlock>
            <RichBlocks blocks={sameBlocks(blocks)} />
          </Marked>
        </td>
      ))}
    </tr>
  );
}

function Inlines({ inlines }: { inlines: readonly InlineChange[] }) {
  return inlines.map(({ change, inline }, index) => (
    <Marked key={index} change={change}>
      <OneInline inline={inline} />
    </Marked>
  ));
}

function OneInline({ inline }: { inline: Inline }) {
  switch (inline.kind) {
    case 'text':
      return <Formatted marks={inline.marks}>{inline.text}</Formatted>;
    case 'break':
      return <br />;
    case 'note':
      return <sup>{inline.number}</sup>;
    case 'image':
      return (
        <span className={classes.image} title={inline.source}>
          Image: {inline.description === '' ? inline.source : inline.description}
        </span>
      );
  }
}

const ELEMENTS = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['strike', 's'],
  ['underline', 'u'],
  ['code', 'code'],
  ['subscript', 'sub'],
  ['superscript', 'sup'],
] as const;

function Formatted({ marks, children }: { marks: Marks; children: string }) {
  let content: ReactNode = children;
  for (const [mark, Element] of ELEMENTS) {
    if (marks[mark] === true) content = <Element>{content}</Element>;
  }
  if (marks.link === undefined) return content;
  return (
    <span className={classes.link} title={marks.link}>
      {content}
    </span>
  );
}
